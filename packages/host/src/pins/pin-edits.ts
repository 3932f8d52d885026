// Changes the pins of a server, under the lock of their file: if two processes see a server for the first time, only
// one of them sets the baseline.

import { type Clock, err, ok, type Result } from '@plugboard/base';
import {
  ensureFolder,
  FileLocked,
  ownFiles,
  removeFile,
  systemCode,
  withFileLock,
  writeFileAtomically,
} from '../platform/index.ts';
import type { PinnedDefinition } from './definition-hash.ts';
import { hashOf, MAX_DEFINITIONS_BYTES, type PinProblem, type PinStore } from './pin-store.ts';
import { formatPins, type PinnedServer } from './pinned-server.ts';

/** The new pins, and the definitions of the added ones. */
export interface PinEdit {
  readonly pins: PinnedServer;
  readonly definitions: readonly PinnedDefinition[];
}

export interface PinChange {
  readonly key: string;
  readonly clock: Clock;
  /** Receives the current pins. Returns `undefined` for no change. May replace pins that cannot be read. */
  readonly edit: (before: Result<PinnedServer | undefined, PinProblem>) => PinEdit | undefined;
}

export async function changePins(
  store: PinStore,
  { key, clock, edit }: PinChange,
): Promise<Result<void, PinProblem>> {
  const file = store.fileOf(key);
  try {
    await ensureFolder(store.folder);
    return await withFileLock(file, { clock }, async () => {
      const before = await store.read(key);
      const edited = edit(before);
      if (edited === undefined) return ok(undefined);
      // Definitions first, so that every pin has its definition.
      if (edited.definitions.length > 0) await saveDefinitions(store, key, edited);
      // Otherwise a link would be followed, and another user's file would keep its owner.
      if (!before.ok) await removeFile(file);
      await writeFileAtomically(file, formatPins(edited.pins), { mode: 0o600 });
      const after = await store.read(key);
      return after.ok ? ok(undefined) : after;
    });
  } catch (thrown) {
    const code = thrown instanceof FileLocked ? thrown.code : systemCode(thrown);
    if (code === undefined) throw thrown;
    return err({ kind: 'unwritable', file, code });
  }
}

/** Stores the definitions of all pins; if they are too large, only the newest ones. */
async function saveDefinitions(
  store: PinStore,
  key: string,
  { pins, definitions }: PinEdit,
): Promise<void> {
  const pinned = new Set(
    Object.values(pins.pins).flatMap((kind) => Array.from(kind.values(), ({ hash }) => hash)),
  );
  const known = await store.definitions(key);
  const all = new Map([...known, ...definitions.map((each) => [hashOf(each), each] as const)]);
  let size = 2;
  const texts: string[] = [];
  for (const [hash, definition] of [...all].toReversed()) {
    const text = JSON.stringify(definition);
    size += Buffer.byteLength(text) + 2;
    if (pinned.has(hash) && size <= MAX_DEFINITIONS_BYTES) texts.push(text);
  }
  const file = store.definitionsOf(key);
  await writeFileAtomically(file, `[${texts.toReversed().join(',\n')}]\n`, { mode: 0o600 });
}

/** Removes the pins of a server: its next list is its baseline. */
export async function removePins(
  store: PinStore,
  key: string,
): Promise<Result<'forgotten' | 'nothing', PinProblem>> {
  const file = store.fileOf(key);
  const known = await store.read(key);
  if (known.ok && known.value === undefined) return ok('nothing');
  await removeFile(store.definitionsOf(key));
  const removed = await removeFile(file);
  return removed.ok ? ok('forgotten') : err({ ...removed.error, file });
}

/** The keys of all servers with this name whose pins can be read, including servers that are no longer configured. */
export async function keysOf(store: PinStore, server: string): Promise<readonly string[]> {
  const files = await ownFiles(store.folder);
  const keys = files.flatMap(({ name }) => /^([0-9a-f]{40})\.json$/.exec(name)?.[1] ?? []);
  const read = await Promise.all(keys.map(async (key) => ({ key, found: await store.read(key) })));
  return read.flatMap(({ key, found }) =>
    found.ok && found.value?.server === server ? [key] : [],
  );
}
