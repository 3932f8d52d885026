// A person and a chat: brings keys to the screen, carries out what they ask for, and brings events of the chat to the
// screen. Draws nothing.

import { type Clock, err, messageOf } from '@plugboard/base';
import type { Chat, ChatEvent, Notice, PastedImage, SubmitResult } from '../../chat/index.ts';
import { type Effect, onKey } from '../act/index.ts';
import { edit, withMenu, withOtherKeys, withoutMenu } from '../input/index.ts';
import type { TerminalProgram } from '../../terminal.ts';
import type { Key } from '../keys/index.ts';
import {
  canWait,
  firstScreen,
  onEvent,
  pushed,
  type RunningCommand,
  type Screen,
  type Size,
} from '../state/index.ts';
import { ScreenStore } from './screen-store.ts';

const HINT_MS = 2000;
const VIM_ON =
  'the prompt has the keys of vi; to keep them: "chat": { "vim": true } in your settings';
const VIM_OFF = 'the prompt has its usual keys';
/** Each may have several megabytes. */
const MOST_PICTURES = 10;

/** What only the terminal itself can do. */
export interface Surface {
  redraw(): void;
  suspend(): void;
  /** Lets a program have the terminal; what went wrong, in words. */
  lend(program: TerminalProgram): Promise<string | undefined>;
  /** Puts a text into the clipboard of the person. */
  copy(text: string): void;
  /** Since when, by the clock's `elapsed`, more than the prompt is drawn. */
  drawnAt(): number | undefined;
}

export interface SessionStart {
  readonly chat: Chat;
  readonly clock: Clock;
  readonly size: Size;
  readonly surface: Surface;
}

export type ChatEnd = 'quit' | 'interrupted';

/** A message may begin with the path of a file, too. */
const COMMAND = /^\s*(?:\/[A-Za-z][\w:.-]*(?:\s|$)|!(?!!)\s*\S.*$|#(?!#)\s*\S.*$)/u;

/** What takes no key before it is drawn. */
function unseen({ panel: _, ...screen }: Screen): Screen {
  return { ...screen, asked: [] };
}

function panelOf({ panel }: Screen): Pick<Screen, 'panel'> {
  return panel === undefined ? {} : { panel };
}

export class ChatSession {
  readonly store: ScreenStore;
  /** Resolves when the person has quit, or ended the chat by Ctrl-C. */
  readonly ended: Promise<ChatEnd>;
  readonly #chat: Chat;
  readonly #clock: Clock;
  readonly #surface: Surface;
  readonly #listening: Disposable;
  #completing: AbortController | undefined;
  #hint: Disposable | undefined;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** What is asked first, and since when. */
  #asked = { id: '', at: Number.NEGATIVE_INFINITY };
  /** By their labels in what is typed. */
  readonly #pictures = new Map<string, PastedImage>();
  #pictureCount = 0;
  #end: (end: ChatEnd) => void = () => {};

  constructor({ chat, clock, size, surface }: SessionStart) {
    this.#chat = chat;
    this.#clock = clock;
    this.#surface = surface;
    this.store = new ScreenStore(firstScreen(chat, size), clock);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#listening = chat.on((event) => this.#hear(event));
  }

  key(key: Key): void {
    const now = this.#clock.elapsed();
    const before = this.store.screen;
    const drawnAt = this.#surface.drawnAt();
    // A question that nothing has drawn yet takes no key.
    const { asked } = before;
    const seen = drawnAt === undefined ? unseen(before) : before;
    const askedAt = Math.max(this.#asked.at, drawnAt ?? now);
    const timed = { ...seen, now: this.#clock.now() };
    const { screen, effects } = onKey(timed, key, { now, typedAt: this.#typedAt, askedAt });
    if (screen.composer !== before.composer) this.#typedAt = now;
    this.store.set(
      drawnAt === undefined ? { ...screen, asked, ...panelOf(before) } : screen,
      'now',
    );
    this.#noteAsked();
    for (const effect of effects) this.#perform(effect);
  }

  resize(size: Size): void {
    this.store.set({ ...this.store.screen, ...size }, 'now');
  }

  quit(): void {
    this.#end('quit');
  }

  #hear(event: ChatEvent): void {
    const screen = onEvent(this.store.screen, event, this.#clock.now());
    this.store.set(screen, canWait(event) ? 'soon' : 'now');
    this.#noteAsked();
    if (event.kind === 'conversation') this.#surface.redraw();
  }

  #noteAsked(): void {
    const [first] = this.store.screen.asked;
    if (first === undefined || first.id === this.#asked.id) return;
    this.#asked = { id: first.id, at: this.#clock.elapsed() };
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'submit':
        void this.submit(effect.text);
        break;
      case 'choose':
        void this.choose(effect.line);
        break;
      case 'cancel':
        this.#chat.cancel();
        break;
      case 'quit':
        this.#end('quit');
        break;
      case 'interrupt':
        this.#end('interrupted');
        break;
      case 'suspend':
        this.#surface.suspend();
        break;
      case 'redraw':
        this.#surface.redraw();
        break;
      case 'mode':
        this.#chat.turnMode();
        break;
      case 'picture':
        void this.#pastePicture();
        break;
      case 'hint-later':
        this.#dropHintLater();
        break;
      case 'complete':
        void this.#complete(effect.text, effect.cursor);
        break;
      case 'forget-completion':
        this.#completing?.abort();
        break;
      case 'approval':
        this.#chat.answerApproval(effect.id, effect.answer);
        break;
      case 'notes':
        this.#chat.answerNotes(effect.id, effect.answer);
        break;
      case 'question':
        this.#chat.answerQuestion(effect.id, effect.answer);
        break;
      case 'server':
        void this.#act(effect);
        break;
      default:
        effect satisfies never;
    }
  }

  #dropHintLater(): void {
    this.#hint?.[Symbol.dispose]();
    this.#hint = this.#clock.after(HINT_MS, () => {
      const { hint: _, ...screen } = this.store.screen;
      this.store.set(screen, 'now');
    });
  }

  /** What a person typed and sent. */
  async submit(text: string): Promise<void> {
    const isCommand = COMMAND.test(text);
    if (isCommand) {
      this.store.set(pushed(this.store.screen, { kind: 'command', text: text.trim() }), 'now');
    }
    const running = { text: text.trim(), startedAt: this.#clock.now() };
    const images = [...this.#pictures].flatMap(([label, image]) =>
      text.includes(label) ? [image] : [],
    );
    await this.#carryOut(isCommand ? running : undefined, () => this.#chat.submit(text, images));
  }

  /** It stands in the prompt as a label, and goes along with the message that has the label in it. */
  async #pastePicture(): Promise<void> {
    const pasted = await this.#chat
      .clipboardPicture()
      .catch((thrown: unknown) => err<Notice>({ level: 'error', text: messageOf(thrown) }));
    if (!pasted.ok) {
      this.#note(pasted.error);
      return;
    }
    this.#pictureCount += 1;
    const label = `[picture ${this.#pictureCount}]`;
    this.#pictures.set(label, pasted.value);
    const [oldest] = this.#pictures.keys();
    if (this.#pictures.size > MOST_PICTURES && oldest !== undefined) this.#pictures.delete(oldest);
    const { screen } = this.store;
    const { composer } = screen;
    const labelled = edit(composer.editor, { kind: 'label', text: label });
    const editor = edit(labelled, { kind: 'insert', text: ' ' });
    this.store.set({ ...screen, composer: { ...withoutMenu(composer), editor } }, 'now');
  }

  /** The line of a row that was chosen. */
  async choose(line: string): Promise<void> {
    const running = { text: line, startedAt: this.#clock.now() };
    await this.#carryOut(running, () => this.#chat.choose(line));
  }

  /** Shown to run until it is done, as some take their time. */
  async #carryOut(
    running: RunningCommand | undefined,
    work: () => Promise<SubmitResult>,
  ): Promise<void> {
    const { screen } = this.store;
    if (running !== undefined) {
      this.store.set({ ...screen, commands: [...screen.commands, running] }, 'now');
    }
    try {
      const submitted = await work();
      this.#withoutCommand(running);
      this.#show(submitted);
    } catch (thrown) {
      this.#withoutCommand(running);
      this.#note({ level: 'error', text: messageOf(thrown) });
    }
  }

  #withoutCommand(running: RunningCommand | undefined): void {
    const { screen } = this.store;
    // What it told since has made another value of it.
    const commands = screen.commands.filter((one) => one.startedAt !== running?.startedAt);
    if (running !== undefined) this.store.set({ ...screen, commands }, 'now');
  }

  #show(submitted: SubmitResult): void {
    const { screen } = this.store;
    switch (submitted.kind) {
      case 'taken':
      case 'message':
        break;
      case 'shown':
        this.store.set(pushed(screen, { kind: 'shown', text: submitted.text }), 'now');
        break;
      case 'panel': {
        const panel =
          submitted.panel === 'help'
            ? ({ kind: 'help' } as const)
            : ({ kind: 'mcp', selected: 0 } as const);
        this.store.set({ ...screen, panel, servers: this.#chat.servers() }, 'now');
        break;
      }
      case 'other-keys': {
        const composer = withOtherKeys(screen.composer);
        this.store.set({ ...screen, composer }, 'now');
        this.#note({ level: 'info', text: composer.vim === undefined ? VIM_OFF : VIM_ON });
        break;
      }
      case 'pick': {
        const { picker } = submitted;
        const { text } = picker;
        const below = text === undefined ? screen : pushed(screen, { kind: 'shown', text });
        const panel = { kind: 'picker', picker, rowsAre: 'lines', query: '' } as const;
        const current = submitted.picker.rows.findIndex(({ isCurrent }) => isCurrent === true);
        const selected = Math.max(0, current);
        this.store.set({ ...below, panel: { ...panel, selected } }, 'now');
        break;
      }
      case 'changes':
        this.store.set(pushed(screen, submitted), 'now');
        break;
      case 'program':
        void this.#lend(submitted);
        break;
      case 'copy':
        this.#surface.copy(submitted.text);
        this.#note({ level: 'info', text: submitted.said });
        break;
      case 'problem': {
        const { message, fix } = submitted;
        this.#note({ level: 'error', text: message, ...(fix === undefined ? {} : { fix }) });
        break;
      }
      case 'quit':
        this.#end('quit');
        break;
      default:
        submitted satisfies never;
    }
  }

  async #lend(program: TerminalProgram & { readonly next: string }): Promise<void> {
    const problem = await this.#surface.lend(program);
    if (problem !== undefined) this.#note({ level: 'error', text: problem });
    await this.choose(program.next);
  }

  async #complete(text: string, cursor: number): Promise<void> {
    this.#completing?.abort();
    const completing = new AbortController();
    this.#completing = completing;
    const isStill = ({ composer: { editor } }: Screen): boolean =>
      editor.text === text && editor.cursor === cursor && !completing.signal.aborted;
    try {
      const found = await this.#chat.complete(text, cursor, completing.signal);
      const { screen } = this.store;
      if (!isStill(screen)) return;
      this.store.set({ ...screen, composer: withMenu(screen.composer, found) }, 'now');
    } catch {
      // A menu is a convenience: without it one types the rest.
      const { screen } = this.store;
      if (isStill(screen)) {
        this.store.set({ ...screen, composer: withoutMenu(screen.composer) }, 'now');
      }
    }
  }

  async #act({ server, action }: Extract<Effect, { readonly kind: 'server' }>): Promise<void> {
    let notice: Notice;
    try {
      notice = await this.#chat.act(server, action);
    } catch (thrown) {
      notice = { level: 'error', text: messageOf(thrown) };
    }
    const { screen } = this.store;
    const servers = this.#chat.servers();
    if (screen.panel?.kind !== 'mcp') this.#note(notice);
    else this.store.set({ ...screen, servers, panel: { ...screen.panel, notice } }, 'now');
  }

  #note(notice: Notice): void {
    this.store.set(pushed(this.store.screen, { kind: 'notice', notice }), 'now');
  }

  [Symbol.dispose](): void {
    this.#completing?.abort();
    this.#hint?.[Symbol.dispose]();
    this.#listening[Symbol.dispose]();
    this.store[Symbol.dispose]();
  }
}
