// The conversations of one folder, kept as files of lines below the user's own folder of the program: begun, taken up
// again, listed, and swept when they are many or old. A file that cannot be read or written stops no conversation.

import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { type Clock, systemClock } from '@plugboard/base';
import type { SavedFile } from '@plugboard/host';
import { sweepToBin } from '@plugboard/host/processes';
import type { Message } from '../conversation/index.ts';
import {
  appendLines,
  beginLines,
  type LinesFile,
  linesFiles,
  readBeginning,
  readLines,
} from '../platform/index.ts';
import { folderName } from './folder-name.ts';
import { withoutSecrets } from './without-secrets.ts';
import { WaitingLines } from './waiting-lines.ts';
import { headOf, readTranscript, titleOf, toLine, type TranscriptHead } from './read-transcript.ts';

export interface TranscriptsOptions {
  /** The user's folder for what programs keep: `paths.state` of the host's environment. */
  readonly state: string;
  /** The folder that is worked in. */
  readonly folder: string;
  readonly clock?: Clock;
  /** Told once for a file that cannot be written; the conversation goes on, and what was said waits for the file. */
  readonly onUnwritable?: (path: string, code: string) => void;
}

export interface TranscriptEntry {
  readonly id: string;
  readonly startedAt: number;
  readonly changedAt: number;
  readonly model: string;
  /** The first words of the user. */
  readonly title: string;
}

/** A conversation that is kept from now on. */
export interface OpenTranscript {
  readonly id: string;
  /** When it was last added to, of one that is taken up again. */
  readonly changedAt?: number;
  readonly messages: readonly Message[];
  /** The results that were put into files, for `host.results.adopt`. */
  readonly results: readonly SavedFile[];
  add(message: Message): void;
  replace(messages: readonly Message[]): void;
  /** When all of it is written. */
  settled(): Promise<void>;
}

const ENDING = '.jsonl';
const MOST_FILES = 100;
const MOST_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_BYTES = 256 * 1024 * 1024;
const BEGINNING_BYTES = 16 * 1024;
const ID = /^[\w-]{1,100}$/;

export class Transcripts {
  readonly #options: TranscriptsOptions;
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(options: TranscriptsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#folder = join(options.state, 'conversations', folderName(options.folder));
  }

  /** The newest first. */
  async list(): Promise<readonly TranscriptEntry[]> {
    const entries = await Promise.all((await this.#files()).map(entryOf));
    return entries.filter((entry) => entry !== undefined);
  }

  /** Writes nothing before the first message. */
  begin(model: string): OpenTranscript {
    const startedAt = this.#clock.now();
    const date = new Date(startedAt).toISOString().slice(0, 19).replaceAll(/\D/g, '');
    const id = `${date}-${randomUUID().slice(0, 8)}`;
    const { folder } = this.#options;
    const head: TranscriptHead = { kind: 'session', version: 1, id, folder, model, startedAt };
    return this.#open({ id, messages: [], results: [], head });
  }

  /** The one that was added to last; nothing where there is none. */
  async latest(): Promise<OpenTranscript | undefined> {
    for (const file of await this.#files()) {
      const found = await this.#read(file);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async resume(id: string): Promise<OpenTranscript | undefined> {
    // It becomes part of a path.
    if (!ID.test(id)) return undefined;
    const file = (await this.#files()).find(({ name }) => name === `${id}${ENDING}`);
    return file === undefined ? undefined : this.#read(file);
  }

  /** Puts what is old, and the oldest of what is too many, into a bin, and removes what has been there for days. */
  async sweep(): Promise<void> {
    await sweepToBin(this.#folder, {
      now: this.#clock.now(),
      keptMs: MOST_DAYS * DAY_MS,
      maxFiles: MOST_FILES,
      ending: ENDING,
    });
  }

  async #files(): Promise<readonly LinesFile[]> {
    const files = await linesFiles(this.#folder, ENDING);
    return files.toSorted((a, b) => b.changedAt - a.changedAt || (a.name < b.name ? 1 : -1));
  }

  async #read({ path, changedAt }: LinesFile): Promise<OpenTranscript | undefined> {
    const text = await readLines(path, MOST_BYTES);
    const read = text === undefined ? undefined : readTranscript(text);
    if (read === undefined) return undefined;
    const id = basename(path, ENDING);
    // What a crash tore off must not be glued to what comes next.
    const isTorn = text?.endsWith('\n') === false;
    const { messages, results } = read;
    const open = this.#open({ id, messages, results, ...(isTorn ? { torn: '\n' } : {}) });
    return { ...open, changedAt };
  }

  #open({ id, messages, results, head, torn = '' }: TranscriptState): OpenTranscript {
    const path = join(this.#folder, `${id}${ENDING}`);
    const file = new WaitingLines({
      begin: head === undefined ? undefined : () => beginLines(this.#folder, path),
      append: (lines) => appendLines(path, lines),
      onUnwritable: (code) => this.#options.onUnwritable?.(path, code),
    });
    let first = head === undefined ? torn : toLine(head);
    const write = (line: string): void => {
      file.add(`${first}${line}`);
      first = '';
    };
    return {
      id,
      messages,
      results,
      add: (message) => write(toLine({ kind: 'message', message: withoutSecrets(message) })),
      replace: (all) => write(toLine({ kind: 'replaced', messages: all.map(withoutSecrets) })),
      settled: () => file.settled(),
    };
  }
}

interface TranscriptState {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly results: readonly SavedFile[];
  /** Of one that is new. */
  readonly head?: TranscriptHead;
  readonly torn?: string;
}

async function entryOf({ path, changedAt }: LinesFile): Promise<TranscriptEntry | undefined> {
  const text = await readBeginning(path, BEGINNING_BYTES);
  const head = headOf(text);
  if (head === undefined) return undefined;
  const { startedAt, model } = head;
  return { id: basename(path, ENDING), startedAt, changedAt, model, title: titleOf(text) };
}
