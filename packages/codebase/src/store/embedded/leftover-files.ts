// Removes the files of an index that are no longer part of it: of segments that were merged, of vectors that were moved, and those that a
// killed process left behind. Only for the writer.

import type { Clock } from '@plugboard/base';
import { namesIn, removeOwn } from '../../platform/index.ts';
import { otherSegmentFiles, segmentFileName } from './segment-file.ts';
import { otherVectorFiles } from './vector-file.ts';

/** Another process that read of a file may still be about to open it, so that it stays for so long at least. */
const STAY_MS = 10_000;

export class LeftoverFiles {
  readonly #folder: string | undefined;
  readonly #clock: Clock;
  /** By number: those that go the next time, and those that go the time after it. */
  #due: readonly number[] = [];
  #merged: number[] = [];
  #removedAt = 0;

  constructor(folder: string | undefined, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async segmentsMerged(rows: readonly number[]): Promise<void> {
    this.#merged.push(...rows);
    const now = this.#clock.elapsed();
    if (this.#due.length + this.#merged.length === 0 || now - this.#removedAt < STAY_MS) return;
    const due = this.#due;
    this.#due = this.#merged;
    this.#merged = [];
    this.#removedAt = now;
    await this.#remove(due.map(segmentFileName));
  }

  /** All but those of these segments. */
  async removeSegmentsBut(rows: readonly number[]): Promise<void> {
    await this.#remove(otherSegmentFiles(await this.#names(), rows));
  }

  /** All but those of this embedder. */
  async removeVectorsBut(row: number): Promise<void> {
    await this.#remove(otherVectorFiles(await this.#names(), row));
  }

  async #names(): Promise<readonly string[]> {
    return this.#folder === undefined ? [] : namesIn(this.#folder);
  }

  async #remove(names: readonly string[]): Promise<void> {
    if (this.#folder === undefined) return;
    // Where another process has one open the system may refuse; then it goes the next time.
    for (const name of names) await removeOwn(this.#folder, name).catch(() => undefined);
  }
}
