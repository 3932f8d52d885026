// Finds the running processes of shared servers. Loads no code if no server is shared.

import { systemClock } from '@plugboard/base';
import type { AdmittedServer, HostEnvironment } from '@plugboard/host/configuration';
import type { RunningBroker } from '@plugboard/host/shared-servers';

function isShared({ written }: Pick<AdmittedServer, 'written'>): boolean {
  return written.shared === true;
}

/** The processes of each shared server, by name. Empty for a server that does not run. */
export async function sharedRunning(
  servers: readonly AdmittedServer[],
  environment: HostEnvironment,
): Promise<ReadonlyMap<string, readonly RunningBroker[]>> {
  const shared = servers.filter(isShared);
  if (shared.length === 0) return new Map();
  const { runningBrokers, socketFolderOf } = await import('@plugboard/host/shared-servers');
  const { fingerprintOf } = await import('@plugboard/host/recorded');
  const folder = socketFolderOf(environment);
  const running = folder === undefined ? [] : await runningBrokers(folder, systemClock);
  return new Map(
    shared.map(({ name, written }) => {
      const fingerprint = fingerprintOf(written, environment.cwd);
      return [
        name,
        running.filter((each) => each.name === name && each.fingerprint === fingerprint),
      ];
    }),
  );
}
