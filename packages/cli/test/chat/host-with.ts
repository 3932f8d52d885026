// A host with the given servers, which reads no files of this machine and writes its own into a temporary folder.

import type { Scope } from '@plugboard/base';
import { allowAll, createHost, type Host } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import { tempFolder } from '@plugboard/testkit';

export async function hostWith(
  scope: Scope,
  servers: Readonly<Record<string, object>>,
): Promise<Host> {
  const folder = scope.use(await tempFolder());
  const { paths, ...environment } = hostEnvironment();
  return scope.use(
    await createHost({
      files: 'none',
      servers,
      approve: allowAll,
      environment: { ...environment, paths: { ...paths, state: folder.path, cache: folder.path } },
    }),
  );
}
