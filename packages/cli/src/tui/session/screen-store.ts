// Holds the screen and notifies the code that draws it. Frequent changes are drawn at most thirty times a second; changes
// by the user at once.

import type { Clock } from '@plugboard/base';
import type { Screen } from '../state/index.ts';

/** Thirty frames a second; more are not visible. */
const FRAME_MS = 33;

export class ScreenStore {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #screen: Screen;
  #drawnScreen: Screen;
  #frame: Disposable | undefined;

  constructor(screen: Screen, clock: Clock) {
    this.#screen = screen;
    this.#drawnScreen = screen;
    this.#clock = clock;
  }

  /** The current screen. */
  get screen(): Screen {
    return this.#screen;
  }

  /** The screen to draw: the current one, or one that is a few milliseconds older. */
  readonly drawnScreen = (): Screen => this.#drawnScreen;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  set(screen: Screen, when: 'now' | 'soon'): void {
    if (screen === this.#screen) return;
    this.#screen = screen;
    if (when === 'now') this.#draw();
    else this.#frame ??= this.#clock.after(FRAME_MS, () => this.#draw());
  }

  #draw(): void {
    this.#frame?.[Symbol.dispose]();
    this.#frame = undefined;
    if (this.#drawnScreen === this.#screen) return;
    this.#drawnScreen = this.#screen;
    for (const listener of this.#listeners) listener();
  }

  [Symbol.dispose](): void {
    this.#frame?.[Symbol.dispose]();
    this.#listeners.clear();
  }
}
