// A file that says which process has to do with something, until that process ends. It may have been killed
// and left its note behind; so a note counts only while the very process runs that wrote it.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isObject, parseJson } from '@plugboard/base';
import { ownIdentity, type ProcessIdentity, stateOf } from '@plugboard/base/platform';

export interface OwnNote extends Disposable {
  readonly pid: number;
}

/** Writes that it is this process, until disposed. */
export function noteOwnProcess(path: string): OwnNote {
  const own = ownIdentity();
  writeFileSync(path, JSON.stringify(own), { mode: 0o600 });
  return { pid: own.pid, [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** The number of the process, if it may still run. */
export function notedProcess(path: string): number | undefined {
  const noted = readNote(path);
  return noted === undefined || stateOf(noted) === 'gone' ? undefined : noted.pid;
}

/** Kills the process, if it is certain to be the one. */
export function killNoted(path: string): boolean {
  const noted = readNote(path);
  if (noted === undefined || stateOf(noted) !== 'running') return false;
  try {
    return process.kill(noted.pid, 'SIGKILL');
  } catch {
    // It has just ended.
    return false;
  }
}

function readNote(path: string): ProcessIdentity | undefined {
  try {
    const parsed = parseJson(readFileSync(path, 'utf8'), { maxLength: 4096, maxDepth: 4 });
    if (!parsed.ok || !isObject(parsed.value)) return undefined;
    const { pid, start, realm } = parsed.value;
    if (!Number.isSafeInteger(pid) || Number(pid) <= 1 || typeof realm !== 'string')
      return undefined;
    return { pid: Number(pid), start: typeof start === 'number' ? start : undefined, realm };
  } catch {
    // There is none.
    return undefined;
  }
}
