// Removes files that are no longer part of an index: those of merged segments, of moved vectors, and of a killed process.
// Only for the writer.

import type { Clock } from '@plugboard/base';
import { namesIn, removeOwn } from '../../platform/index.ts';
import { otherSegmentFiles, segmentFileName } from './segment-file.ts';
import { otherVectorFiles } from './vector-file.ts';

/** A file stays at least this long, since a reader may still be about to open it. */
const STAY_MS = 10_000;

export class LeftoverFiles {
  readonly #folder: string | undefined;
  readonly #clock: Clock;
  /** The rows of segments to remove the next time, and those to remove the time after. */
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

  /** Removes the files of all other segments. */
  async removeSegmentsBut(rows: readonly number[]): Promise<void> {
    await this.#remove(otherSegmentFiles(await this.#names(), rows));
  }

  /** Removes the files of all other embedders. */
  async removeVectorsBut(row: number): Promise<void> {
    await this.#remove(otherVectorFiles(await this.#names(), row));
  }

  async #names(): Promise<readonly string[]> {
    return this.#folder === undefined ? [] : namesIn(this.#folder);
  }

  async #remove(names: readonly string[]): Promise<void> {
    if (this.#folder === undefined) return;
    // The system may refuse while another process has the file open; it is then removed the next time.
    for (const name of names) await removeOwn(this.#folder, name).catch(() => undefined);
  }
}
