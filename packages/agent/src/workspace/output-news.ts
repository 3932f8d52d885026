// Reports the progress of a running command: its last line, at a limited rate, and from time to time that it still runs, so
// that it does not seem to hang.

import { type Clock } from '@plugboard/base';
import { stripControls } from './kept-output.ts';

const LEAST_MS = 100;
const HEARTBEAT_MS = 5000;
const LONGEST_LINE = 200;
const RECENT_CHARACTERS = 4096;

export class OutputNews implements Disposable {
  readonly #tell: (message: string) => void;
  readonly #clock: Clock;
  readonly #start: number;
  #last: number;
  #recent = '';
  #timer: Disposable | undefined;
  #isNewsDue = false;

  constructor(tell: (message: string) => void, clock: Clock) {
    this.#tell = tell;
    this.#clock = clock;
    this.#start = clock.elapsed();
    this.#last = this.#start - LEAST_MS;
    this.#schedule(HEARTBEAT_MS);
  }

  take(chunk: Buffer): void {
    this.#recent = (this.#recent + chunk.toString('utf8')).slice(-RECENT_CHARACTERS);
    if (this.#isNewsDue) return;
    this.#isNewsDue = true;
    this.#schedule(Math.max(0, this.#last + LEAST_MS - this.#clock.elapsed()));
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }

  #schedule(ms: number): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#clock.after(ms, () => this.#report());
  }

  #report(): void {
    this.#isNewsDue = false;
    this.#last = this.#clock.elapsed();
    this.#schedule(HEARTBEAT_MS);
    const line = stripControls(this.#recent)
      .split('\n')
      .findLast((one) => one.trim() !== '');
    const seconds = Math.round((this.#last - this.#start) / 1000);
    this.#tell(line?.trim().slice(0, LONGEST_LINE) ?? `running for ${seconds} s`);
  }
}
