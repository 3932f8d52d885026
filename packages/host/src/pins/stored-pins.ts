// The pins of configured servers, read from files only: for a program that shows what is known from earlier runs
// and starts nothing.

import { ok, type Result, silentLogger, systemClock } from '@plugboard/base';
import type { ConfiguredServer } from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import type { PinMode } from './judge-list.ts';
import { type PinProblem, PinStore } from './pin-store.ts';
import { pinSubjectOf } from './pin-subject.ts';
import { ServerPins } from './server-pins.ts';

type Environment = Pick<HostEnvironment, 'paths' | 'cwd'>;

export function storedPins(
  { paths, cwd }: Environment,
  servers: readonly ConfiguredServer[],
  mode: PinMode,
): ServerPins {
  const store = new PinStore(paths.state);
  const subjects = new Map(servers.map((server) => [server.name, pinSubjectOf(server, cwd)]));
  const pinned = [...subjects.values()].filter((subject) => subject !== undefined);
  return new ServerPins({
    store,
    clock: systemClock,
    logger: silentLogger,
    mode: () => mode,
    subjectOf: (server) => subjects.get(server),
    subjects: () => pinned,
  });
}

/** Removes the pins of a server; of an unconfigured one, by its name. */
export async function forgetPins(
  { paths, cwd }: Environment,
  name: string,
  servers: readonly ConfiguredServer[],
): Promise<Result<'forgotten' | 'nothing', PinProblem>> {
  const { keysOf, removePins } = await import('./pin-edits.ts');
  const store = new PinStore(paths.state);
  const configured = servers.find((server) => server.name === name);
  const subject = configured && pinSubjectOf(configured, cwd);
  let outcome: 'forgotten' | 'nothing' = 'nothing';
  for (const key of subject === undefined ? await keysOf(store, name) : [subject.key]) {
    const forgotten = await removePins(store, key);
    if (!forgotten.ok) return forgotten;
    if (forgotten.value === 'forgotten') outcome = 'forgotten';
  }
  return ok(outcome);
}
