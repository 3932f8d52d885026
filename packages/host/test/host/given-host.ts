// A host that reads no files of this machine and writes its own into a temp folder.

import { type Scope, systemClock } from '@plugboard/base';
import { tempFolder } from '@plugboard/testkit';
import { allowAll, createHost, type Host, type HostOptions } from '../../src/host/index.ts';
import { hostEnvironment } from '../../src/platform/index.ts';

export async function givenHost(
  scope: Scope,
  servers: NonNullable<HostOptions['servers']>,
  options: HostOptions = {},
): Promise<Host> {
  const folder = scope.use(await tempFolder());
  const { paths, ...environment } = hostEnvironment();
  return scope.use(
    await createHost({
      files: 'none',
      servers,
      approve: allowAll,
      clock: systemClock,
      environment: { ...environment, paths: { ...paths, state: folder.path, cache: folder.path } },
      ...options,
    }),
  );
}
