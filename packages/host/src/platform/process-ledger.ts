// Who we started, written down, so that the next start can end what a killed host left behind.
// One file per living host. A process is only ever killed when its number and its start time say that it is the one we
// wrote down, or its mark that this one started it; every doubt is decided for letting it live.

import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  codeOf,
  delay,
  isObject,
  type Logger,
  messageOf,
  never,
  parseJson,
  silentLogger,
  systemClock,
} from '@plugboard/base';
import { isRunning, processFacts, realm } from '@plugboard/base/platform';
import { isMark, ownMarks } from './process-mark.ts';
import { processTable } from './process-table.ts';
import { abandonedTree } from './process-tree.ts';
import { readTextFile } from './read-text-file.ts';

export interface SweptProcess {
  /** The program that was killed, or that had started what was. */
  readonly pid: number;
  /** The host that had started it and is gone. */
  readonly host: number;
}

interface RecordedProcess {
  readonly pid: number;
  readonly start: number;
}

/** What is written down of a program. */
interface RecordedProgram extends RecordedProcess {
  readonly mark: string;
  /** That of the host; `undefined` where the machine does not tell. */
  readonly session?: number | undefined;
}

/** How often, and after which pauses, a sweep looks whether what it killed is gone. */
const MAX_LOOKS = 20;
const LOOK_MS = 5;
const MAX_LEDGER_BYTES = 1024 * 1024;
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

export class ProcessLedger {
  readonly #directory: string;
  readonly #logger: Logger;
  readonly #programs = new Map<number, RecordedProgram>();
  #file: string | undefined;

  constructor(options: { readonly directory: string; readonly logger?: Logger }) {
    this.#directory = options.directory;
    this.#logger = options.logger ?? silentLogger;
  }

  /** Writes down a program that was just started, with its mark. Never throws. */
  record(pid: number, mark: string): void {
    this.#attempt(() => {
      const facts = processFacts(pid);
      // A process without a known start time could never be told from a later one of its number.
      if (facts === undefined) return;
      const session = processFacts(process.pid)?.session;
      this.#programs.set(pid, { pid, start: facts.start, mark, session });
      this.#save();
    });
  }

  /** Strikes out a program that is gone with all that it started. Never throws. */
  forget(pid: number): void {
    if (this.#programs.delete(pid)) this.#attempt(() => this.#save());
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
    const programs = text.ok ? parsePrograms(text.value) : [];
    // We may ourselves have been started by what that host left; then it is for a later start to end.
    if (programs.some(hasStartedUs)) return [];
    const killed = await Promise.all(programs.map(killIfOurs));
    await rm(path, { force: true });
    return programs.filter((_, index) => killed[index]).map(({ pid }) => ({ pid, host: host.pid }));
  }

  #save(): void {
    this.#file ??= ownFileName();
    if (this.#file === undefined) return;
    const path = join(this.#directory, this.#file);
    if (this.#programs.size === 0) {
      rmSync(path, { force: true });
      return;
    }
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    // A host killed in the middle of this must not leave half a list, so it is renamed into place.
    const draft = `${path}.tmp`;
    writeFileSync(draft, JSON.stringify([...this.#programs.values()]), { mode: 0o600 });
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

/** Kills what is certain to be of the program that was written down. */
async function killIfOurs(recorded: RecordedProgram): Promise<boolean> {
  const { pid, start, mark, session } = recorded;
  const tree = abandonedTree(
    { pid, start, signs: [mark], outerSession: session },
    { leadsGroup: await leadsGroup(recorded) },
  );
  if (await tree.isGone()) return false;
  await tree.signal('SIGKILL');
  // Each look kills what was started while the others were being killed.
  for (let look = 0; look < MAX_LOOKS && !(await tree.isGone()); look += 1) {
    await delay(LOOK_MS, systemClock, never);
  }
  return true;
}

/** Whether the group with the number of the leader is certain to be the one that it led. */
async function leadsGroup({ pid, start, mark }: RecordedProgram): Promise<boolean> {
  const leader = processFacts(pid);
  if (leader !== undefined && leader.start !== start) return false;
  if (leader !== undefined && !leader.isZombie) return leader.group === pid;
  // A number is not given away while a group bears it, so one member tells for all: one with the mark, or one in the session
  // that the leader began.
  const table = await processTable(start);
  return (
    table.withSign(mark).some(({ group }) => group === pid) ||
    table.group(pid).some((member) => member.session === pid && member.start >= start)
  );
}

function hasStartedUs({ pid, mark }: RecordedProgram): boolean {
  return ownMarks().includes(mark) || processFacts(process.pid)?.group === pid;
}

function mayRun({ pid, start }: RecordedProcess): boolean {
  const facts = processFacts(pid);
  if (facts !== undefined) return facts.start === start && !facts.isZombie;
  // Nothing is told about it. If it is there all the same, it may be that very host.
  return isRunning(pid);
}

function parsePrograms(text: string): readonly RecordedProgram[] {
  const parsed = parseJson(text, { maxLength: MAX_LEDGER_BYTES, maxDepth: 4 });
  if (!parsed.ok || !Array.isArray(parsed.value)) return [];
  const entries: readonly unknown[] = parsed.value;
  // One entry that makes no sense makes all the others doubtful.
  return entries.every(isRecorded) ? entries : [];
}

function isRecorded(entry: unknown): entry is RecordedProgram {
  if (!isObject(entry)) return false;
  const { pid, start, mark, session } = entry;
  const hasSession = session === undefined || Number.isSafeInteger(session);
  const isNumbered = Number.isSafeInteger(pid) && Number(pid) > 1 && Number.isSafeInteger(start);
  return isNumbered && hasSession && isMark(mark);
}

/** Ends in chance, since one process may hold several hosts. */
function ownFileName(): string | undefined {
  const own = processFacts(process.pid);
  if (own === undefined) return undefined;
  return `${own.pid}-${own.start}-${realm()}-${randomBytes(4).toString('hex')}.json`;
}

function parseFileName(name: string): (RecordedProcess & { readonly realm: string }) | undefined {
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
