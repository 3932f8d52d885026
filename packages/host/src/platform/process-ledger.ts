// Records the programs that a host started, so that the next host can end what a killed one left behind. Each running
// host has one file. A process is killed only if its number and start time match the record, or if its mark shows that a
// recorded program started it; in case of doubt it is left running.

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
  /** The program that was killed, or that had started the killed processes. */
  readonly pid: number;
  /** The ended host that had started it. */
  readonly host: number;
}

interface RecordedProcess {
  readonly pid: number;
  readonly start: number;
}

/** The record of one program. */
interface RecordedProgram extends RecordedProcess {
  readonly mark: string;
  /** The session of the host; `undefined` if the system does not report it. */
  readonly session?: number | undefined;
}

/** How often, and after which pauses, a sweep checks that the killed processes have ended. */
const MAX_CHECKS = 20;
const CHECK_MS = 5;
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

  /** Records a program that was just started. Never throws. */
  record(pid: number, mark: string): void {
    this.#attempt(() => {
      const facts = processFacts(pid);
      // Without a start time, the process could not be distinguished from a later one with its number.
      if (facts === undefined) return;
      const session = processFacts(process.pid)?.session;
      this.#programs.set(pid, { pid, start: facts.start, mark, session });
      this.#save();
    });
  }

  /** Removes the record of a program that has ended with all its descendants. Never throws. */
  forget(pid: number): void {
    if (this.#programs.delete(pid)) this.#attempt(() => this.#save());
  }

  /** Ends what ended hosts left running. Never affects the programs of a running host. */
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
    // An unreadable file is kept for a later sweep; a broken one is removed.
    if (!text.ok && text.error.kind === 'unreadable') return [];
    const programs = text.ok ? parsePrograms(text.value) : [];
    // A program of that host may have started this process; then a later host ends it.
    if (programs.some(hasStartedThisProcess)) return [];
    const killed = await Promise.all(programs.map(killIfRecorded));
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
    // Renamed into place, so that a host that is killed here does not leave half a list.
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

/** Kills the processes that certainly belong to the recorded program. */
async function killIfRecorded(recorded: RecordedProgram): Promise<boolean> {
  const { pid, start, mark, session } = recorded;
  const tree = abandonedTree(
    { pid, start, signs: [mark], outerSession: session },
    { leadsGroup: await leadsGroup(recorded) },
  );
  if (await tree.isGone()) return false;
  await tree.signal('SIGKILL');
  // Each check kills the processes that were started during the killing.
  for (let check = 0; check < MAX_CHECKS && !(await tree.isGone()); check += 1) {
    await delay(CHECK_MS, systemClock, never);
  }
  return true;
}

/** Whether the group with the number of the leader is certainly its own. */
async function leadsGroup({ pid, start, mark }: RecordedProgram): Promise<boolean> {
  const leader = processFacts(pid);
  if (leader !== undefined && leader.start !== start) return false;
  if (leader !== undefined && !leader.isZombie) return leader.group === pid;
  // A number is not reused while a group has it, so one member is proof for all: one with the mark, or one in the session
  // that the leader began.
  const table = await processTable(start);
  return (
    table.withSign(mark).some(({ group }) => group === pid) ||
    table.group(pid).some((member) => member.session === pid && member.start >= start)
  );
}

function hasStartedThisProcess({ pid, mark }: RecordedProgram): boolean {
  return ownMarks().includes(mark) || processFacts(process.pid)?.group === pid;
}

function mayRun({ pid, start }: RecordedProcess): boolean {
  const facts = processFacts(pid);
  if (facts !== undefined) return facts.start === start && !facts.isZombie;
  // Without facts, a running process with this number may be that host.
  return isRunning(pid);
}

function parsePrograms(text: string): readonly RecordedProgram[] {
  const parsed = parseJson(text, { maxLength: MAX_LEDGER_BYTES, maxDepth: 4 });
  if (!parsed.ok || !Array.isArray(parsed.value)) return [];
  const entries: readonly unknown[] = parsed.value;
  // One invalid entry makes all others doubtful.
  return entries.every(isRecorded) ? entries : [];
}

function isRecorded(entry: unknown): entry is RecordedProgram {
  if (!isObject(entry)) return false;
  const { pid, start, mark, session } = entry;
  const hasSession = session === undefined || Number.isSafeInteger(session);
  const isNumbered = Number.isSafeInteger(pid) && Number(pid) > 1 && Number.isSafeInteger(start);
  return isNumbered && hasSession && isMark(mark);
}

/** Ends with random characters, since one process may run several hosts. */
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

/** A file of another machine, container or boot: its process numbers mean nothing here. */
async function isForgotten(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return systemClock.now() - mtimeMs > FORGOTTEN_AFTER_MS;
}
