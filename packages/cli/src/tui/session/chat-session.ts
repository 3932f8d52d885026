// Connects the user with a chat: applies keys and events of the chat to the screen, and performs the effects of keys. Draws
// nothing.

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
  withItems,
  type RunningCommand,
  type Screen,
  type Size,
} from '../state/index.ts';
import { ScreenStore } from './screen-store.ts';

const HINT_MS = 2000;
const VIM_ON =
  'the prompt has the keys of vi; to keep them: "chat": { "vim": true } in your settings';
const VIM_OFF = 'the prompt has its usual keys';
/** Each picture may have several megabytes. */
const MOST_PICTURES = 10;

/** What only the terminal itself can do. */
export interface Surface {
  redraw(): void;
  suspend(): void;
  /** Lends the terminal to a program. Returns what went wrong, in words. */
  lend(program: TerminalProgram): Promise<string | undefined>;
  /** Copies a text to the user's clipboard. */
  copy(text: string): void;
  /** When drawing began, by the clock's `elapsed`; `undefined` while only the prompt is printed. */
  drawnAt(): number | undefined;
}

export interface SessionStart {
  readonly chat: Chat;
  readonly clock: Clock;
  readonly size: Size;
  readonly surface: Surface;
}

export type ChatEnd = 'quit' | 'interrupted';

/** Slash, shell (`!`) and note (`#`) lines. A message may also begin with a slash: with the path of a file. */
const COMMAND = /^\s*(?:\/[A-Za-z][\w:.-]*(?:\s|$)|!(?!!)\s*\S.*$|#(?!#)\s*\S.*$)/u;

/** Only the prompt: questions and panels take no keys before they are drawn. */
function promptOnly({ panel: _, ...screen }: Screen): Screen {
  return { ...screen, questions: [] };
}

function panelOf({ panel }: Screen): Pick<Screen, 'panel'> {
  return panel === undefined ? {} : { panel };
}

export class ChatSession {
  readonly store: ScreenStore;
  /** Resolves when the user has quit, or has ended the chat with Ctrl-C. */
  readonly ended: Promise<ChatEnd>;
  readonly #chat: Chat;
  readonly #clock: Clock;
  readonly #surface: Surface;
  readonly #listening: Disposable;
  #completing: AbortController | undefined;
  #hint: Disposable | undefined;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** The first question, and when it appeared. */
  #firstQuestion = { id: '', at: Number.NEGATIVE_INFINITY };
  /** By their labels in the prompt. */
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
    this.#listening = chat.on((event) => this.#onChatEvent(event));
  }

  key(key: Key): void {
    const now = this.#clock.elapsed();
    const before = this.store.screen;
    const drawnAt = this.#surface.drawnAt();
    const { questions } = before;
    const visible = drawnAt === undefined ? promptOnly(before) : before;
    const askedAt = Math.max(this.#firstQuestion.at, drawnAt ?? now);
    const timed = { ...visible, now: this.#clock.now() };
    const { screen, effects } = onKey(timed, key, { now, typedAt: this.#typedAt, askedAt });
    if (screen.composer !== before.composer) this.#typedAt = now;
    this.store.set(
      drawnAt === undefined ? { ...screen, questions, ...panelOf(before) } : screen,
      'now',
    );
    this.#noteFirstQuestion();
    for (const effect of effects) this.#perform(effect);
  }

  resize(size: Size): void {
    this.store.set({ ...this.store.screen, ...size }, 'now');
  }

  quit(): void {
    this.#end('quit');
  }

  #onChatEvent(event: ChatEvent): void {
    const screen = onEvent(this.store.screen, event, this.#clock.now());
    this.store.set(screen, canWait(event) ? 'soon' : 'now');
    this.#noteFirstQuestion();
    if (event.kind === 'conversation') this.#surface.redraw();
  }

  #noteFirstQuestion(): void {
    const [first] = this.store.screen.questions;
    if (first === undefined || first.id === this.#firstQuestion.id) return;
    this.#firstQuestion = { id: first.id, at: this.#clock.elapsed() };
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
      case 'notes':
      case 'question':
        this.#chat.answer(effect);
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

  /** Submits the text that the user typed. */
  async submit(text: string): Promise<void> {
    const isCommand = COMMAND.test(text);
    if (isCommand) {
      this.store.set(withItems(this.store.screen, { kind: 'command', text: text.trim() }), 'now');
    }
    const running = { text: text.trim(), startedAt: this.#clock.now() };
    const images = [...this.#pictures].flatMap(([label, image]) =>
      text.includes(label) ? [image] : [],
    );
    await this.#runCommand(isCommand ? running : undefined, () => this.#chat.submit(text, images));
  }

  /** The prompt shows a label for the picture, which is sent with the message that contains the label. */
  async #pastePicture(): Promise<void> {
    const pasted = await this.#chat
      .clipboardPicture()
      .catch((thrown: unknown) => err<Notice>({ level: 'error', text: messageOf(thrown) }));
    if (!pasted.ok) {
      this.#showNotice(pasted.error);
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

  /** Submits the line of a chosen list row. */
  async choose(line: string): Promise<void> {
    const running = { text: line, startedAt: this.#clock.now() };
    await this.#runCommand(running, () => this.#chat.choose(line));
  }

  /** Shows the command as running until it has ended. */
  async #runCommand(
    running: RunningCommand | undefined,
    work: () => Promise<SubmitResult>,
  ): Promise<void> {
    const { screen } = this.store;
    if (running !== undefined) {
      this.store.set({ ...screen, commands: [...screen.commands, running] }, 'now');
    }
    try {
      const result = await work();
      this.#withoutCommand(running);
      this.#show(result);
    } catch (thrown) {
      this.#withoutCommand(running);
      this.#showNotice({ level: 'error', text: messageOf(thrown) });
    }
  }

  #withoutCommand(running: RunningCommand | undefined): void {
    const { screen } = this.store;
    // Its progress may have replaced the object since.
    const commands = screen.commands.filter((one) => one.startedAt !== running?.startedAt);
    if (running !== undefined) this.store.set({ ...screen, commands }, 'now');
  }

  #show(result: SubmitResult): void {
    const { screen } = this.store;
    switch (result.kind) {
      case 'taken':
        break;
      case 'shown':
        this.store.set(withItems(screen, { kind: 'shown', text: result.text }), 'now');
        break;
      case 'panel': {
        const panel =
          result.panel === 'help'
            ? ({ kind: 'help' } as const)
            : ({ kind: 'mcp', selected: 0 } as const);
        this.store.set({ ...screen, panel, servers: this.#chat.servers() }, 'now');
        break;
      }
      case 'other-keys': {
        const composer = withOtherKeys(screen.composer);
        this.store.set({ ...screen, composer }, 'now');
        this.#showNotice({ level: 'info', text: composer.vim === undefined ? VIM_OFF : VIM_ON });
        break;
      }
      case 'pick': {
        const { picker } = result;
        const { text } = picker;
        const below = text === undefined ? screen : withItems(screen, { kind: 'shown', text });
        const panel = { kind: 'picker', picker, rowsAre: 'lines', query: '' } as const;
        const current = result.picker.rows.findIndex(({ isCurrent }) => isCurrent === true);
        const selected = Math.max(0, current);
        this.store.set({ ...below, panel: { ...panel, selected } }, 'now');
        break;
      }
      case 'changes':
        this.store.set(withItems(screen, result), 'now');
        break;
      case 'program':
        void this.#lend(result);
        break;
      case 'copy':
        this.#surface.copy(result.text);
        this.#showNotice({ level: 'info', text: result.said });
        break;
      case 'problem': {
        const { message, fix } = result;
        this.#showNotice({ level: 'error', text: message, ...(fix === undefined ? {} : { fix }) });
        break;
      }
      case 'quit':
        this.#end('quit');
        break;
      default:
        result satisfies never;
    }
  }

  async #lend(program: TerminalProgram & { readonly next: string }): Promise<void> {
    const problem = await this.#surface.lend(program);
    if (problem !== undefined) this.#showNotice({ level: 'error', text: problem });
    await this.choose(program.next);
  }

  async #complete(text: string, cursor: number): Promise<void> {
    this.#completing?.abort();
    const completing = new AbortController();
    this.#completing = completing;
    const isUnchanged = ({ composer: { editor } }: Screen): boolean =>
      editor.text === text && editor.cursor === cursor && !completing.signal.aborted;
    try {
      const found = await this.#chat.complete(text, cursor, completing.signal);
      const { screen } = this.store;
      if (!isUnchanged(screen)) return;
      this.store.set({ ...screen, composer: withMenu(screen.composer, found) }, 'now');
    } catch {
      // Completions are a convenience: without them the user types the rest.
      const { screen } = this.store;
      if (isUnchanged(screen)) {
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
    if (screen.panel?.kind !== 'mcp') this.#showNotice(notice);
    else this.store.set({ ...screen, servers, panel: { ...screen.panel, notice } }, 'now');
  }

  #showNotice(notice: Notice): void {
    this.store.set(withItems(this.store.screen, { kind: 'notice', notice }), 'now');
  }

  [Symbol.dispose](): void {
    this.#completing?.abort();
    this.#hint?.[Symbol.dispose]();
    this.#listening[Symbol.dispose]();
    this.store[Symbol.dispose]();
  }
}
