// The stored catalogue: one file for each server that was listed, so that tools can be shown without starting
// anything. Also stores the era that a server speaks. Reading and writing never fail for the caller; what cannot be
// stored is learned again.

import { join } from 'node:path';
import {
  type Clock,
  type Instant,
  KeyedMutex,
  type Logger,
  messageOf,
  never,
} from '@plugboard/base';
import type { ConnectionMemory, EraVerdict } from '../connection/index.ts';
import { ensureFolder, readTextFile, sweepFolder, writeFileAtomically } from '../platform/index.ts';
import {
  formatStored,
  MAX_STORED_BYTES,
  NOTHING_STORED,
  parseStored,
  type StoredList,
  type StoredServer,
} from './stored-server.ts';

export interface CatalogStoreOptions {
  /** The folder of the user's cache. */
  readonly cache: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const DAY_MS = 24 * 60 * 60_000;
const FORGOTTEN_AFTER_MS = 30 * DAY_MS;
const MAX_FILES = 500;
/** An unchanged list gets a new date at this interval, not at every connection. */
const REDATED_AFTER_MS = 60 * 60_000;

export class CatalogStore implements ConnectionMemory {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #known = new Map<string, Promise<StoredServer>>();
  readonly #saves = new Set<Promise<void>>();
  readonly #writing = new KeyedMutex<string>();
  #isSwept = false;

  constructor({ cache, clock, logger }: CatalogStoreOptions) {
    this.#folder = join(cache, 'catalog');
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The last list of a server, unless it is too old. */
  async list(fingerprint: string): Promise<StoredList | undefined> {
    const { list } = await this.#read(fingerprint);
    return list === undefined || this.#isForgotten(list.at) ? undefined : list;
  }

  saveList(fingerprint: string, list: StoredList): void {
    this.#save(fingerprint, (before) =>
      isSameList(before.list, list) ? before : { ...before, list },
    );
  }

  /** A list that was given to one account must not be shown to another. */
  forgetList(fingerprint: string): void {
    this.#save(fingerprint, (before) =>
      before.list === undefined ? before : { ...before, list: undefined },
    );
  }

  async verdict(fingerprint: string): Promise<EraVerdict | undefined> {
    return (await this.#read(fingerprint)).verdict;
  }

  saveVerdict(fingerprint: string, verdict: EraVerdict | undefined): void {
    this.#save(fingerprint, (before) => ({ ...before, verdict }));
  }

  async asksRoots(fingerprint: string): Promise<boolean> {
    return (await this.#read(fingerprint)).asksRoots === true;
  }

  noteRoots(fingerprint: string, what: 'asked' | 'not-asked'): void {
    this.#save(fingerprint, (before) => {
      if ((what === 'asked') === (before.asksRoots === true)) return before;
      const { asksRoots: _, ...others } = before;
      return what === 'asked' ? { ...others, asksRoots: true } : others;
    });
  }

  /** Waits until everything is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#saves);
  }

  #read(fingerprint: string): Promise<StoredServer> {
    const known = this.#known.get(fingerprint) ?? this.#load(fingerprint);
    this.#known.set(fingerprint, known);
    return known;
  }

  async #load(fingerprint: string): Promise<StoredServer> {
    const read = await readTextFile(this.#fileOf(fingerprint), { maxBytes: MAX_STORED_BYTES });
    return read.ok ? parseStored(read.value) : NOTHING_STORED;
  }

  /** Not awaited: requests to a server must not wait for the disk. */
  #save(fingerprint: string, change: (before: StoredServer) => StoredServer): void {
    const save = this.#writing
      .run(fingerprint, never, () => this.#write(fingerprint, change))
      .catch((thrown: unknown) =>
        this.#logger.log('warn', 'could not keep what a server lists', {
          reason: messageOf(thrown),
        }),
      )
      .finally(() => void this.#saves.delete(save));
    this.#saves.add(save);
  }

  async #write(fingerprint: string, change: (before: StoredServer) => StoredServer): Promise<void> {
    const before = await this.#read(fingerprint);
    const after = change(before);
    if (after === before) return;
    this.#known.set(fingerprint, Promise.resolve(after));
    const text = formatStored(after);
    if (Buffer.byteLength(text) > MAX_STORED_BYTES) return;
    await ensureFolder(this.#folder);
    await writeFileAtomically(this.#fileOf(fingerprint), text, { mode: 0o600 });
    await this.#sweepOnce();
  }

  async #sweepOnce(): Promise<void> {
    if (this.#isSwept) return;
    this.#isSwept = true;
    const limits = { now: this.#clock.now(), keptMs: FORGOTTEN_AFTER_MS, maxFiles: MAX_FILES };
    await sweepFolder(this.#folder, limits);
  }

  #isForgotten(at: Instant): boolean {
    return this.#clock.now() - at > FORGOTTEN_AFTER_MS;
  }

  #fileOf(fingerprint: string): string {
    return join(this.#folder, `${fingerprint}.json`);
  }
}

function isSameList(before: StoredList | undefined, after: StoredList): boolean {
  if (before === undefined || after.at - before.at > REDATED_AFTER_MS) return false;
  return (
    before.instructions === after.instructions &&
    JSON.stringify(before.tools) === JSON.stringify(after.tools)
  );
}
