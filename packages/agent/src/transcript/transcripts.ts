// The stored conversations of one folder, as files of lines in the user's state folder: creates, resumes, forks and lists
// them, and sweeps old ones. A file that cannot be read or written does not stop a conversation.

import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { type Clock, err, ok, type Result, systemClock } from '@plugboard/base';
import { sweepToBin } from '@plugboard/host/processes';
import {
  beginLines,
  appendLines,
  foldersIn,
  type LinesFile,
  linesFiles,
  readBeginning,
  readLines,
} from '../platform/index.ts';
import { FileChanges } from './file-changes.ts';
import { folderName } from './folder-name.ts';
import { OpenTranscript } from './open-transcript.ts';
import { headOf, readTranscript, titleOf, toLine } from './read-transcript.ts';
import { type TranscriptHead, TranscriptReplay } from './transcript-replay.ts';
import { WaitingLines } from './waiting-lines.ts';

export interface TranscriptsOptions {
  /** The user's state folder: `paths.state` of the host's environment. */
  readonly state: string;
  /** The working folder. */
  readonly folder: string;
  readonly clock?: Clock;
  /** Called once for a file that cannot be written; the conversation continues, and its messages are written later. */
  readonly onUnwritable?: (path: string, code: string) => void;
}

export interface TranscriptEntry {
  readonly id: string;
  /** The working folder. */
  readonly folder: string;
  readonly startedAt: number;
  readonly changedAt: number;
  readonly model: string;
  /** The first words of the user. */
  readonly title: string;
}

const ENDING = '.jsonl';
const CHANGES_ENDING = '.changes';
const MOST_FILES = 100;
const MOST_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_BYTES = 256 * 1024 * 1024;
const BEGINNING_BYTES = 16 * 1024;
const ID = /^[\w-]{1,100}$/;

export class Transcripts {
  readonly #options: TranscriptsOptions;
  readonly #all: string;
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(options: TranscriptsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#all = join(options.state, 'conversations');
    this.#folder = join(this.#all, folderName(options.folder));
  }

  /** The conversations of this folder or of all folders, the newest first. */
  async list(where: 'here' | 'everywhere' = 'here'): Promise<readonly TranscriptEntry[]> {
    const folders = where === 'here' ? [this.#folder] : await foldersIn(this.#all);
    const files = newestFirst((await Promise.all(folders.map(filesIn))).flat());
    const entries = await Promise.all(files.map(entryOf));
    return entries.filter((entry) => entry !== undefined);
  }

  /** Writes nothing before the first message. */
  begin(model: string): OpenTranscript {
    const head = this.#newHead(model);
    return this.#open(head.id, { replay: new TranscriptReplay(), first: toLine(head) });
  }

  /** The conversation that was changed last; `undefined` if there is none. */
  async latest(): Promise<OpenTranscript | undefined> {
    for (const file of newestFirst(await filesIn(this.#folder))) {
      const found = await this.#read(file);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async resume(id: string): Promise<OpenTranscript | undefined> {
    // The id becomes part of a path.
    if (!ID.test(id)) return undefined;
    const file = (await filesIn(this.#folder)).find(({ name }) => name === `${id}${ENDING}`);
    return file === undefined ? undefined : this.#read(file);
  }

  /** An independent copy under a new id, or the error code if it could not be written. */
  async fork(transcript: OpenTranscript): Promise<Result<OpenTranscript, string>> {
    await transcript.settled();
    const text = (await readLines(this.#pathOf(transcript.id, ENDING), MOST_BYTES)) ?? '';
    const earlier = headOf(text);
    if (earlier === undefined) return err('ENOENT');
    const head = { ...this.#newHead(earlier.model), forkedFrom: transcript.id };
    const rest = text.slice(text.indexOf('\n') + 1);
    const code = await this.#write(head.id, ENDING, `${toLine(head)}${rest}`);
    if (code !== undefined) return err(code);
    const changes = await readLines(this.#pathOf(transcript.id, CHANGES_ENDING), MOST_BYTES);
    if (changes !== undefined) await this.#write(head.id, CHANGES_ENDING, changes);
    const forked = await this.resume(head.id);
    return forked === undefined ? err('ENOENT') : ok(forked);
  }

  /** Moves old and surplus files into a bin, and removes files that have been there for days. */
  async sweep(): Promise<void> {
    for (const ending of [ENDING, CHANGES_ENDING]) {
      await sweepToBin(this.#folder, {
        now: this.#clock.now(),
        keptMs: MOST_DAYS * DAY_MS,
        maxFiles: MOST_FILES,
        ending,
      });
    }
  }

  #newHead(model: string): TranscriptHead {
    const startedAt = this.#clock.now();
    const date = new Date(startedAt).toISOString().slice(0, 19).replaceAll(/\D/g, '');
    const id = `${date}-${randomUUID().slice(0, 8)}`;
    const { folder } = this.#options;
    return { kind: 'session', version: 1, id, folder, model, startedAt };
  }

  async #read({ path, changedAt }: LinesFile): Promise<OpenTranscript | undefined> {
    const text = await readLines(path, MOST_BYTES);
    const read = text === undefined ? undefined : readTranscript(text);
    if (read === undefined) return undefined;
    const id = basename(path, ENDING);
    // The next line must not be appended to an incomplete one.
    const torn = text?.endsWith('\n') === false ? '\n' : undefined;
    return this.#open(id, { replay: read.replay, changedAt, torn });
  }

  #open(id: string, state: TranscriptState): OpenTranscript {
    const { replay, changedAt, first, torn = '' } = state;
    const changesPath = this.#pathOf(id, CHANGES_ENDING);
    return new OpenTranscript({
      id,
      changedAt,
      replay,
      lines: this.#linesAt(this.#pathOf(id, ENDING), first === undefined ? 'existing' : 'new'),
      first: first ?? torn,
      changes: new FileChanges(changesPath, this.#linesAt(changesPath, 'new')),
    });
  }

  #linesAt(path: string, state: 'new' | 'existing'): WaitingLines {
    const { onUnwritable } = this.#options;
    return new WaitingLines({ folder: this.#folder, path, state, onUnwritable });
  }

  /** Returns the error code of a failure. */
  async #write(id: string, ending: string, text: string): Promise<string | undefined> {
    const path = this.#pathOf(id, ending);
    return (await beginLines(this.#folder, path)) ?? (await appendLines(path, text));
  }

  #pathOf(id: string, ending: string): string {
    return join(this.#folder, `${id}${ending}`);
  }
}

interface TranscriptState {
  readonly replay: TranscriptReplay;
  readonly changedAt?: number;
  /** The first line of a new transcript. */
  readonly first?: string;
  readonly torn?: string | undefined;
}

function filesIn(folder: string): Promise<readonly LinesFile[]> {
  return linesFiles(folder, ENDING);
}

function newestFirst(files: readonly LinesFile[]): readonly LinesFile[] {
  return files.toSorted((a, b) => b.changedAt - a.changedAt || (a.name < b.name ? 1 : -1));
}

async function entryOf({ path, changedAt }: LinesFile): Promise<TranscriptEntry | undefined> {
  const text = await readBeginning(path, BEGINNING_BYTES);
  const head = headOf(text);
  if (head === undefined) return undefined;
  const { startedAt, model, folder } = head;
  return { id: basename(path, ENDING), folder, startedAt, changedAt, model, title: titleOf(text) };
}
