// Who we started, written down, so that the next start can end what a killed host left behind.
// One file per living host. A process is only ever killed when its number and its start time both
// say that it is the one we wrote down; every doubt is decided for letting it live.

import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  codeOf,
  isObject,
  type Logger,
  messageOf,
  parseJson,
  silentLogger,
  systemClock,
} from '@plugboard/base';
import { isRunning } from './is-running.ts';
import { allProcessFacts, type ProcessFacts, processFacts } from './process-facts.ts';
import { signalGroup } from './process-group.ts';
import { realm } from './process-identity.ts';
import { readTextFile } from './read-text-file.ts';

export interface SweptProcess {
  /** The leader of the group that was killed. */
  readonly pid: number;
  /** The host that had started it and is gone. */
  readonly host: number;
}

interface Recorded {
  readonly pid: number;
  readonly start: number;
}

const MAX_LEDGER_BYTES = 1024 * 1024;
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

export class ProcessLedger {
  readonly #directory: string;
  readonly #logger: Logger;
  readonly #groups = new Map<number, Recorded>();
  #file: string | undefined;

  constructor(options: { readonly directory: string; readonly logger?: Logger }) {
    this.#directory = options.directory;
    this.#logger = options.logger ?? silentLogger;
  }

  /** Writes down the leader of a group that was just started. Never throws. */
  record(pid: number): void {
    this.#attempt(() => {
      const facts = processFacts(pid);
      // A process without a known start time could never be told from a later one of its number.
      if (facts === undefined) return;
      this.#groups.set(pid, { pid, start: facts.start });
      this.#save();
    });
  }

  /** Strikes out a group that is gone. Never throws. */
  forget(pid: number): void {
    if (this.#groups.delete(pid)) this.#attempt(() => this.#save());
  }

  /** Ends what dead hosts left behind. Never touches what belongs to a living one. */
  async sweep(): Promise<readonly SweptProcess[]> {
    const swept: SweptProcess[] = [];
    for (const name of await this.#fileNames()) {
      try {
        swept.push(...(await this.#sweepFile(name)));
      } catch (thrown) {
        this.#report('a process ledger cannot be swept', thrown);
      }
    }
    return swept;
  }

  async #fileNames(): Promise<readonly string[]> {
    try {
      return await readdir(this.#directory);
    } catch (thrown) {
      if (codeOf(thrown) !== 'ENOENT') this.#report('the process ledger cannot be read', thrown);
      return [];
    }
  }

  async #sweepFile(name: string): Promise<readonly SweptProcess[]> {
    const path = join(this.#directory, name);
    const host = parseFileName(name);
    if (host === undefined) return [];
    if (host.realm !== realm()) {
      if (await isForgotten(path)) await rm(path, { force: true });
      return [];
    }
    if (mayRun(host)) return [];
    const text = await readTextFile(path, { maxBytes: MAX_LEDGER_BYTES });
    // What cannot be opened just now is kept for a later sweep; what can but makes no sense is not.
    if (!text.ok && text.error.kind === 'unreadable') return [];
    const groups = text.ok ? parseGroups(text.value) : [];
    const ownGroup = processFacts(process.pid)?.group;
    // We may ourselves have been started by what that host left; then it is for a later start to end.
    if (groups.some((group) => group.pid === ownGroup)) return [];
    const swept = groups.filter(killIfOurs).map(({ pid }) => ({ pid, host: host.pid }));
    await rm(path, { force: true });
    return swept;
  }

  #save(): void {
    this.#file ??= ownFileName();
    if (this.#file === undefined) return;
    const path = join(this.#directory, this.#file);
    if (this.#groups.size === 0) {
      rmSync(path, { force: true });
      return;
    }
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    // A host killed in the middle of this must not leave half a list, so it is renamed into place.
    const draft = `${path}.tmp`;
    writeFileSync(draft, JSON.stringify([...this.#groups.values()]), { mode: 0o600 });
    renameSync(draft, path);
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (thrown) {
      this.#report('the process ledger cannot be written', thrown);
    }
  }

  #report(message: string, thrown: unknown): void {
    this.#logger.log('warn', message, { directory: this.#directory, reason: messageOf(thrown) });
  }
}

/** Kills the group if it is certain to be the one written down. */
function killIfOurs(recorded: Recorded): boolean {
  return isOurs(recorded) && signalGroup(recorded.pid, 'SIGKILL');
}

function isOurs({ pid, start }: Recorded): boolean {
  const leader = processFacts(pid);
  if (leader !== undefined && leader.start !== start) return false;
  if (leader !== undefined && !leader.isZombie) return leader.group === pid;
  // A number is not given away while a group bears it, so members that began after the leader, in
  // the session that it led, are what it started.
  return allProcessFacts().some(
    (member) =>
      member.group === pid && member.session === pid && member.start >= start && !member.isZombie,
  );
}

function mayRun({ pid, start }: Recorded): boolean {
  const facts: ProcessFacts | undefined = processFacts(pid);
  if (facts !== undefined) return facts.start === start && !facts.isZombie;
  // Nothing is told about it. If it is there all the same, it may be that very host.
  return isRunning(pid);
}

function parseGroups(text: string): readonly Recorded[] {
  const parsed = parseJson(text, { maxLength: MAX_LEDGER_BYTES, maxDepth: 4 });
  if (!parsed.ok || !Array.isArray(parsed.value)) return [];
  const entries: readonly unknown[] = parsed.value;
  // One entry that makes no sense makes all the others doubtful.
  return entries.every(isRecorded) ? entries : [];
}

function isRecorded(entry: unknown): entry is Recorded {
  if (!isObject(entry)) return false;
  const { pid, start } = entry;
  return Number.isSafeInteger(pid) && Number(pid) > 1 && Number.isSafeInteger(start);
}

/** Ends in chance, since one process may hold several hosts. */
function ownFileName(): string | undefined {
  const own = processFacts(process.pid);
  if (own === undefined) return undefined;
  return `${own.pid}-${own.start}-${realm()}-${randomBytes(4).toString('hex')}.json`;
}

function parseFileName(name: string): (Recorded & { readonly realm: string }) | undefined {
  const match = /^(\d{1,10})-(\d{1,16})-([0-9a-f]{12})-[0-9a-f]{8}\.json(?:\.tmp)?$/.exec(name);
  if (match === null) return undefined;
  const [, pid, start, from = ''] = match;
  return { pid: Number(pid), start: Number(start), realm: from };
}

/** Another machine or container on the same disk, or another boot: its numbers mean nothing here. */
async function isForgotten(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return systemClock.now() - mtimeMs > FORGOTTEN_AFTER_MS;
}
