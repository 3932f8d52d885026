// What is wrong around a gateway that runs, and that neither its servers nor its clients show: nothing can be written where it
// keeps its state, or an edit of the settings does not count. Looked at anew each time, so that it is true when it is said.

import { join } from 'node:path';
import { type HostEnvironment, readConfiguration } from '@plugboard/host/configuration';
import {
  ensureFolder,
  removeFile,
  systemCode,
  writeFileAtomically,
} from '@plugboard/host/processes';
import type { GatewayProblem } from '../print/gateway-status.ts';
import { unreadSettings, unwritableState } from '../print/gateway-problem-words.ts';
import type { RunningGateway } from './running-gateways.ts';

/** A disk can have room for a name and none for what is in the file. */
const SAMPLE = '.'.repeat(4096);

export async function stateProblems(
  environment: HostEnvironment,
): Promise<readonly GatewayProblem[]> {
  const code = await refusedInState(environment);
  return code === undefined ? [] : [unwritableState(environment.paths.state, code, environment)];
}

/** Why the system refuses to write where gateways keep their state; nothing where it does not. */
export async function refusedInState({
  paths: { state },
}: Pick<HostEnvironment, 'paths'>): Promise<string | undefined> {
  const folder = join(state, 'gateway');
  const sample = join(folder, 'written');
  try {
    await ensureFolder(folder);
    await writeFileAtomically(sample, SAMPLE, { mode: 0o600 });
    await removeFile(sample);
    return undefined;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === undefined) throw thrown;
    return code;
  }
}

/** Of one in the background, which has the settings of the user and of no folder. */
export async function settingsProblems(
  { keptBy }: Pick<RunningGateway, 'keptBy'>,
  environment: HostEnvironment,
): Promise<readonly GatewayProblem[]> {
  if (keptBy === undefined) return [];
  const read = await readConfiguration({
    environment: { ...environment, cwd: environment.home },
    files: 'discover',
  });
  return read.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => unreadSettings(diagnostic, environment));
}
