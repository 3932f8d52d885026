// All that is on the screen, as one value: what is finished and never drawn again, what still changes, who waits for an
// answer, and what the person types. What it looks like is left to the views.

import type {
  AskedApproval,
  AskedNotes,
  Chat,
  Notice,
  Opening,
  Picker,
  PickerRow,
  ServerRow,
} from '../../chat/index.ts';
import type { ElicitationRequest, Remember } from '@plugboard/host';
import { type AgentMode, type Todo, todosOf } from '@plugboard/agent';
import { type Composer, type Editor, newComposer } from '../input/index.ts';
import type { FormQuestion, PageQuestion } from '../view/question-lines.ts';
import { earlierItems } from './earlier-items.ts';
import type { FormState } from './form.ts';
import type { Item } from './item.ts';
import type { ReadingProgress } from './reading.ts';

export interface Screen {
  readonly opening: Opening;
  readonly finished: readonly Item[];
  /** Another number means that all that is finished is drawn again. */
  readonly epoch: number;
  readonly live: readonly Item[];
  readonly nextId: number;
  readonly turn?: Turn;
  /** The last is the one that is shown to run. */
  readonly commands: readonly RunningCommand[];
  /** The first is shown, the others wait. */
  readonly asked: readonly OpenQuestion[];
  readonly panel?: Panel;
  readonly servers: readonly ServerRow[];
  readonly model: string | undefined;
  readonly mode: AgentMode;
  /** How many commands run in the background. */
  readonly jobs: number;
  /** What the model says is to do. */
  readonly todos: readonly Todo[];
  readonly tokens: number;
  readonly cost: number | undefined;
  /** Messages that are sent once the turn is over. */
  readonly waiting: readonly string[];
  readonly composer: Composer;
  readonly isFolded: boolean;
  /** The calls and thoughts that are the other way round. */
  readonly turnedOver: ReadonlySet<number>;
  /** When the last key was pressed, by the clock. */
  readonly now: number;
  /** What the line below says for now, such as that Ctrl-C once more quits. */
  readonly hint?: string;
  readonly columns: number;
  readonly rows: number;
}

export interface Turn {
  readonly agent: string;
  readonly startedAt: number;
  readonly doing: 'thinking' | 'writing' | 'calling' | 'retrying';
  readonly isCancelled: boolean;
  /** While it is `retrying`: when the model is asked again. */
  readonly retryAt?: number;
}

export type OpenQuestion = AskedAboutCall | AskedAboutNotes | AskedByServer;

export interface AskedAboutNotes {
  readonly kind: 'notes';
  readonly id: string;
  readonly notes: AskedNotes;
  readonly selected: number;
  readonly reading: ReadingProgress;
  /** A yes came before all of them were shown. */
  readonly unseenYes?: true | undefined;
}

export interface AskedAboutCall {
  readonly kind: 'approval';
  readonly id: string;
  readonly approval: AskedApproval;
  readonly selected: number;
  readonly reading: ReadingProgress;
  /** Which of the rules a yes for longer is kept as; the first, by default. */
  readonly rule?: number;
  /** A yes that came before all of it was shown: for how long it was meant. */
  readonly unseenYes?: Remember | undefined;
  /** The person has changed the arguments, and they are sent with the answer. */
  readonly isEdited?: true;
  /** The arguments as JSON, or the reason, while it is typed. */
  readonly typing?: {
    readonly what: 'arguments' | 'reason';
    readonly editor: Editor;
    readonly problem?: string;
  };
}

export interface AskedByServer {
  readonly kind: 'question';
  readonly id: string;
  readonly request: ElicitationRequest;
  readonly answering: AnswerDraft;
}

export type AnswerDraft = FormDraft | PageQuestion;

export interface FormDraft extends FormQuestion {
  readonly state: FormState;
}

export type Panel =
  | {
      readonly kind: 'mcp';
      readonly selected: number;
      readonly notice?: Notice;
    }
  | { readonly kind: 'help' }
  | PickerPanel;

export interface PickerPanel {
  readonly kind: 'picker';
  readonly picker: Picker;
  /** What a row stands for: a line to submit, or the id of an item to fold or unfold. */
  readonly rowsAre: 'lines' | 'items';
  /** What is typed to search. */
  readonly query: string;
  /** Among the rows that have the query in them. */
  readonly selected: number;
}

/** Every word of the query is in each of them, whatever its case. */
export function foundRows({ picker, query }: PickerPanel): readonly PickerRow[] {
  const words = query.toLowerCase().split(/\s+/u);
  return picker.rows.filter(({ label, detail }) => {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A command that the user gave and that is not done yet. */
export interface RunningCommand {
  readonly text: string;
  readonly startedAt: number;
  /** What it says that it is doing. */
  readonly progress?: string;
}

export const STATUS_ROWS = 1;
/** Its rules, and one row of it. */
const PROMPT_ROWS = 3;
const SEARCH_ROWS = 4;

/** How wide lines may be. The last column stays empty. */
export function contentWidth({ columns }: Pick<Screen, 'columns'>): number {
  return Math.max(1, columns - 1);
}

/** How many rows there are for what is asked, and for nothing else. */
export function rowsForAsked({ rows, composer, asked }: Screen): number {
  const { editor, search } = composer;
  const prompt = editor.text === '' ? 0 : search === undefined ? PROMPT_ROWS : SEARCH_ROWS;
  return rows - 1 - STATUS_ROWS - prompt - (asked.length > 1 ? 1 : 0);
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export function firstScreen(chat: Chat, size: Size): Screen {
  const { opening } = chat;
  const { items, nextId } = earlierItems(chat.earlier);
  return {
    opening,
    finished: items,
    epoch: 0,
    live: [],
    nextId,
    commands: [],
    asked: [],
    servers: chat.servers(),
    model: opening.model.kind === 'chosen' ? opening.model.name : undefined,
    mode: opening.mode,
    jobs: 0,
    todos: todosOf(chat.earlier),
    tokens: 0,
    cost: undefined,
    waiting: [],
    composer: newComposer(chat.history, opening.keys),
    isFolded: true,
    turnedOver: new Set(),
    now: 0,
    ...size,
  };
}
