// Everything on the screen as one value: finished and live items, open questions, and what the user types. The views decide
// what it looks like.

import type {
  PendingApproval,
  PendingNotes,
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
  /** When this number changes, all finished items are drawn again. */
  readonly epoch: number;
  readonly live: readonly Item[];
  readonly nextId: number;
  readonly turn?: Turn;
  /** The status line shows the last one. */
  readonly commands: readonly RunningCommand[];
  /** The first question is shown, the others wait. */
  readonly questions: readonly OpenQuestion[];
  readonly panel?: Panel;
  readonly servers: readonly ServerRow[];
  readonly model: string | undefined;
  readonly mode: AgentMode;
  /** The number of commands that run in the background. */
  readonly jobs: number;
  /** The to-do list of the model. */
  readonly todos: readonly Todo[];
  readonly tokens: number;
  readonly cost: number | undefined;
  /** Messages that are sent after the turn. */
  readonly waiting: readonly string[];
  readonly composer: Composer;
  readonly isFolded: boolean;
  /** The ids of calls and thoughts that are folded differently from `isFolded`. */
  readonly turnedOver: ReadonlySet<number>;
  /** When the last key was pressed, by the clock. */
  readonly now: number;
  /** Shown in the status line for a while, such as that another Ctrl-C quits. */
  readonly hint?: string;
  readonly columns: number;
  readonly rows: number;
}

export interface Turn {
  readonly agent: string;
  readonly startedAt: number;
  readonly doing: 'thinking' | 'writing' | 'calling' | 'retrying';
  readonly isCancelled: boolean;
  /** While `retrying`: when the next request is sent. */
  readonly retryAt?: number;
}

export type OpenQuestion = ApprovalQuestion | NotesQuestion | ServerQuestion;

export interface NotesQuestion {
  readonly kind: 'notes';
  readonly id: string;
  readonly notes: PendingNotes;
  readonly selected: number;
  readonly reading: ReadingProgress;
  /** The user approved before all lines were shown. */
  readonly unseenYes?: true | undefined;
}

export interface ApprovalQuestion {
  readonly kind: 'approval';
  readonly id: string;
  readonly approval: PendingApproval;
  readonly selected: number;
  readonly reading: ReadingProgress;
  /** The index of the rule that approval for longer is stored as; the first by default. */
  readonly rule?: number;
  /** For how long the user approved before all lines were shown. */
  readonly unseenYes?: Remember | undefined;
  /** The user has edited the arguments, which are sent with the answer. */
  readonly isEdited?: true;
  /** The arguments as JSON, or the reason, while the user types it. */
  readonly typing?: {
    readonly what: 'arguments' | 'reason';
    readonly editor: Editor;
    readonly problem?: string;
  };
}

export interface ServerQuestion {
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
  /** The typed search words. */
  readonly query: string;
  /** An index into the rows that match the query. */
  readonly selected: number;
}

/** The rows that contain every word of the query, ignoring case. */
export function foundRows({ picker, query }: PickerPanel): readonly PickerRow[] {
  const words = query.toLowerCase().split(/\s+/u);
  return picker.rows.filter(({ label, detail }) => {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export interface RunningCommand {
  readonly text: string;
  readonly startedAt: number;
  /** What the command reports that it is doing. */
  readonly progress?: string;
}

export const STATUS_ROWS = 1;
/** Its two rules and one row of text. */
const PROMPT_ROWS = 3;
const SEARCH_ROWS = 4;

/** How wide lines may be. The last column stays empty. */
export function contentWidth({ columns }: Pick<Screen, 'columns'>): number {
  return Math.max(1, columns - 1);
}

/** The number of rows for a question alone. */
export function questionRows({ rows, composer, questions }: Screen): number {
  const { editor, search } = composer;
  const prompt = editor.text === '' ? 0 : search === undefined ? PROMPT_ROWS : SEARCH_ROWS;
  return rows - 1 - STATUS_ROWS - prompt - (questions.length > 1 ? 1 : 0);
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
    questions: [],
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
