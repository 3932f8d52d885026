// A host that reads no files of this machine, and writes its own files into a temporary folder.

import type { Scope } from '@plugboard/base';
import { allowAll, createHost, type Host, type HostOptions } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import { tempFolder } from '@plugboard/testkit';

export async function givenHost(
  scope: Scope,
  servers: NonNullable<HostOptions['servers']>,
  options: HostOptions = {},
): Promise<Host> {
  const folder = scope.use(await tempFolder());
  const { paths, ...environment } = hostEnvironment();
  const own = { ...paths, state: folder.path, cache: folder.path };
  return scope.use(
    await createHost({
      files: 'none',
      servers,
      approve: allowAll,
      environment: { ...environment, paths: own },
      ...options,
    }),
  );
}
