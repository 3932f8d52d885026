// A file that names the process that is responsible for something, until the process ends. A killed process leaves its
// note behind, so a note counts only while the process that wrote it runs.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isObject, type JsonObject, parseJson } from '@plugboard/base';
import { ownIdentity, type ProcessIdentity, stateOf } from '@plugboard/base/platform';

export interface OwnNote extends Disposable {
  readonly pid: number;
}

/** Writes a note about this process, with further facts. Disposing the result removes the note. */
export function noteOwnProcess(path: string, facts: JsonObject = {}): OwnNote {
  const own = ownIdentity();
  const remove = (): void => rmSync(path, { force: true });
  try {
    writeFileSync(path, JSON.stringify({ ...facts, ...own }), { mode: 0o600 });
  } catch (thrown) {
    // On a full disk the file is created empty, and would never be removed.
    remove();
    throw thrown;
  }
  return { pid: own.pid, [Symbol.dispose]: remove };
}

export type ProcessNote =
  /** The note is missing or incomplete. */
  | { readonly kind: 'none' }
  /** The process has ended, and left its note. */
  | { readonly kind: 'gone'; readonly pid: number; readonly facts: JsonObject }
  /** The process may still run. */
  | {
      readonly kind: 'noted';
      readonly pid: number;
      readonly facts: JsonObject;
      /** Works also after the process has removed its note. */
      readonly isGone: () => boolean;
    };

export function readProcessNote(path: string): ProcessNote {
  const noted = readNote(path);
  if (noted === undefined) return { kind: 'none' };
  const { pid, facts } = noted;
  const isGone = (): boolean => stateOf(noted) === 'gone';
  return isGone() ? { kind: 'gone', pid, facts } : { kind: 'noted', pid, facts, isGone };
}

/** The number of the process, if it may still be running. */
export function notedProcess(path: string): number | undefined {
  const note = readProcessNote(path);
  return note.kind === 'noted' ? note.pid : undefined;
}

/** Sends the process a signal, if it is certainly the one that wrote the note. */
export function signalNoted(path: string, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  const noted = readNote(path);
  if (noted === undefined || stateOf(noted) !== 'running') return false;
  try {
    return process.kill(noted.pid, signal);
  } catch {
    // The process has just ended.
    return false;
  }
}

const NOTE = { maxLength: 64 * 1024, maxDepth: 8 };

function readNote(path: string): (ProcessIdentity & { readonly facts: JsonObject }) | undefined {
  try {
    const parsed = parseJson(readFileSync(path, 'utf8'), NOTE);
    if (!parsed.ok || !isObject(parsed.value)) return undefined;
    const { pid, start, realm, ...facts } = parsed.value;
    if (!Number.isSafeInteger(pid) || Number(pid) <= 1 || typeof realm !== 'string')
      return undefined;
    const own = { pid: Number(pid), start: typeof start === 'number' ? start : undefined, realm };
    return { ...own, facts };
  } catch {
    // There is no note.
    return undefined;
  }
}
