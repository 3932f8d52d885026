// Finds problems of a running gateway itself: its state folder is not writable, or its settings cannot be read. Nothing is
// cached, so that each report is current.

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

/** A full disk may have room for an empty file, so the test file has content. */
const SAMPLE = '.'.repeat(4096);

export async function stateProblems(
  environment: HostEnvironment,
): Promise<readonly GatewayProblem[]> {
  const code = await stateWriteError(environment);
  return code === undefined ? [] : [unwritableState(environment.paths.state, code, environment)];
}

/** The error code if the state folder of gateways is not writable. */
export async function stateWriteError({
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

/** The problems of a gateway in the background, which has the settings of the user and of no folder. */
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
