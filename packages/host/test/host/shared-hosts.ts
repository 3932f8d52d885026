// Hosts of one user that share servers, with their own state folder. All their processes are ended after the test.

import { type Scope, systemClock } from '@plugboard/base';
import { tempFolder } from '@plugboard/testkit';
import { join } from 'node:path';
import { allowAll, createHost, type Host, type HostOptions } from '../../src/host/index.ts';
import { hostEnvironment } from '../../src/platform/index.ts';
import { type RunningBroker, runningBrokers, stopBroker } from '../../src/protocol/index.ts';

export interface SharedHosts {
  readonly state: string;
  /** The folder of sockets. */
  readonly sockets: string;
  host(servers: NonNullable<HostOptions['servers']>, options?: Partial<HostOptions>): Promise<Host>;
  running(): Promise<readonly RunningBroker[]>;
}

export async function sharedHosts(scope: Scope): Promise<SharedHosts> {
  const folder = scope.use(await tempFolder());
  const { env, paths, ...environment } = hostEnvironment();
  const { XDG_RUNTIME_DIR: _, ...variables } = env;
  const sockets = join(folder.path, 'shared');
  const running = (): Promise<readonly RunningBroker[]> => runningBrokers(sockets, systemClock);
  scope.defer(async () => {
    for (const { socket } of await running()) await stopBroker(socket, systemClock);
  });
  return {
    state: folder.path,
    sockets,
    running,
    host: async (servers, options = {}) =>
      scope.use(
        await createHost({
          files: 'none',
          servers,
          approve: allowAll,
          environment: {
            ...environment,
            env: variables,
            paths: { ...paths, state: folder.path, cache: folder.path },
          },
          ...options,
        }),
      ),
  };
}

/** The id of the answering process, and the text of its answer. */
export async function pidOf(host: Host, server = 's'): Promise<number> {
  const outcome = await host.call({ server, tool: 'pids' }, {});
  if (outcome.kind !== 'result') throw new Error(JSON.stringify(outcome));
  const [part] = outcome.parts.flatMap((each) => (each.kind === 'structured' ? [each.value] : []));
  return (part as unknown as { pid: number }).pid;
}

export function textOf(outcome: Awaited<ReturnType<Host['call']>>): string {
  if (outcome.kind !== 'result') throw new Error(JSON.stringify(outcome));
  return outcome.parts.map((part) => ('text' in part ? part.text : '')).join('');
}

/** A call that takes very long, once the server has reported progress. */
export async function callUnderWay(
  host: Host,
): Promise<{ readonly outcome: ReturnType<Host['call']> }> {
  let outcome: ReturnType<Host['call']> | undefined;
  await new Promise<void>((resolve) => {
    const onProgress = (): void => resolve();
    outcome = host.call({ server: 's', tool: 'sleep' }, { ms: 600_000 }, { onProgress });
  });
  if (outcome === undefined) throw new Error('not called');
  // In an object: `await` would wait for a bare promise.
  return { outcome };
}
