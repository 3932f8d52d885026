// A person and a chat: brings keys to the screen, carries out what they ask for, and brings events of the chat to the
// screen. Draws nothing.

import { type Clock, messageOf } from '@plugboard/base';
import type { Chat, ChatEvent, Notice, SubmitResult } from '../../chat/index.ts';
import { type Effect, onKey } from '../act/index.ts';
import { withMenu, withoutMenu } from '../input/index.ts';
import type { Key } from '../keys/index.ts';
import { canWait, firstScreen, onEvent, pushed, type Screen, type Size } from '../state/index.ts';
import { ScreenStore } from './screen-store.ts';

const HINT_MS = 2000;

/** What only the terminal itself can do. */
export interface Surface {
  redraw(): void;
  suspend(): void;
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
    const seen = drawnAt === undefined ? { ...before, asked: [] } : before;
    const askedAt = Math.max(this.#asked.at, drawnAt ?? now);
    const { screen, effects } = onKey(seen, key, { now, typedAt: this.#typedAt, askedAt });
    if (screen.composer !== before.composer) this.#typedAt = now;
    this.store.set(drawnAt === undefined ? { ...screen, asked } : screen, 'now');
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
    if (event.kind === 'cleared') this.#surface.redraw();
  }

  #noteAsked(): void {
    const [first] = this.store.screen.asked;
    if (first === undefined || first.id === this.#asked.id) return;
    this.#asked = { id: first.id, at: this.#clock.elapsed() };
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'submit':
        void this.#submit(effect.text);
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

  async #submit(text: string): Promise<void> {
    try {
      this.#show(await this.#chat.submit(text));
    } catch (thrown) {
      this.#note({ level: 'error', text: messageOf(thrown) });
    }
  }

  #show(submitted: SubmitResult): void {
    const { screen } = this.store;
    switch (submitted.kind) {
      case 'taken':
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
