// A workspace in a temporary folder, with a client of the SDK or a host connected to it.

import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createHost, type Host, type HostOptions } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Scope } from '@plugboard/base';
import { tempFolder, type TempFolder } from '@plugboard/testkit';
import { createWorkspace, type Workspace } from '../../src/workspace/index.ts';
import type { WorkspaceOptions } from '../../src/workspace/workspace.ts';

export type Era = 'legacy' | 'modern';
export const ERAS: readonly Era[] = ['legacy', 'modern'];

export interface GivenWorkspace {
  /** The parent of `tree`, which is the root. */
  readonly folder: TempFolder;
  readonly root: string;
  readonly workspace: Workspace;
  readonly client: Client;
  readonly call: (name: string, args: Record<string, unknown>) => Promise<Answer>;
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly data: unknown;
}

export async function givenWorkspace(
  scope: Scope,
  { era = 'modern', ...options }: Partial<WorkspaceOptions> & { readonly era?: Era } = {},
): Promise<GivenWorkspace> {
  const folder = scope.use(await tempFolder());
  const root = await folder.mkdir('tree');
  const environment = { ...hostEnvironment(), paths: pathsIn(folder) };
  const workspace = scope.use(createWorkspace({ root, environment, ...options }));
  const client = await connected(workspace, era);
  scope.defer(() => client.close());
  return {
    folder,
    root,
    workspace,
    client,
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args });
      return {
        text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
        isError: result.isError === true,
        data: result._meta?.['plugboard/data'],
      };
    },
  };
}

export async function connected(workspace: Workspace, era: Era): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  await workspace.server().connect(theirs);
  await client.connect(ours);
  return client;
}

/** A host that reads no files of this machine, and has the workspace as its built-in server. */
export async function hostWith(
  scope: Scope,
  workspace: Workspace,
  options: HostOptions = {},
): Promise<Host> {
  const folder = scope.use(await tempFolder());
  const environment = { ...hostEnvironment(), paths: pathsIn(folder) };
  return scope.use(
    await createHost({
      files: 'none',
      inProcess: { workspace: workspace.server() },
      environment,
      ...options,
    }),
  );
}

/** Writes nothing into the folders of the user who runs the tests. */
export function pathsIn({ path }: TempFolder): UserPaths {
  return {
    home: path,
    config: join(path, 'own/config'),
    state: join(path, 'own/state'),
    cache: join(path, 'own/cache'),
  };
}

type UserPaths = ReturnType<typeof hostEnvironment>['paths'];
