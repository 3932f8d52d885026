// What is wrong around a gateway that runs, and that neither its servers nor its clients show: nothing can be written where it
// keeps its state, or an edit of the settings does not count. Looked at anew each time, so that it is true when it is said.

import { join } from 'node:path';
import { type HostEnvironment, readConfiguration } from '@plugboard/host/configuration';
import { removeFile, systemCode, writeFileAtomically } from '@plugboard/host/processes';
import type { GatewayProblem } from '../print/gateway-status.ts';
import { unreadSettings, unwritableState } from '../print/gateway-problem-words.ts';
import type { RunningGateway } from './running-gateways.ts';

/** A disk can have room for a name and none for what is in the file. */
const SAMPLE = '.'.repeat(4096);

export async function stateProblems(
  environment: HostEnvironment,
): Promise<readonly GatewayProblem[]> {
  const { state } = environment.paths;
  const sample = join(state, 'gateway', 'written');
  try {
    await writeFileAtomically(sample, SAMPLE, { mode: 0o600 });
    await removeFile(sample);
    return [];
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === undefined) throw thrown;
    return [unwritableState(state, code, environment)];
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
