// Who may grant sampling to a server, and the roots to a remote one: the user, but not a project.

import { type JsonObject, Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { allowAll } from '../../src/host/index.ts';
import { type AskingCell, askingCells, heardBy } from './asking-peers.ts';
import { ruledHost } from './ruled-host.ts';

const [local, remote] = askingCells as readonly [AskingCell, AskingCell];
const sampling = {
  sample: () => Promise.resolve({ content: [], model: 'm' }),
  approve: () => ({ kind: 'allow' }) as const,
};

interface Files {
  readonly user?: JsonObject;
  readonly project?: JsonObject;
}

/** The capabilities that the server receives. */
async function offered(cell: AskingCell, files: (entry: JsonObject) => Files): Promise<object> {
  await using scope = new Scope();
  const { user, project } = files(await cell.entry(scope));
  const { host } = await ruledHost(
    scope,
    {
      ...(user === undefined ? {} : { user: { mcpServers: { peer: user } } }),
      ...(project === undefined ? {} : { project: { mcpServers: { peer: project } } }),
    },
    { approve: allowAll, trust: 'project', sampling },
  );
  const { sampling: model, roots } = (await heardBy(host)).capabilities;
  return { sampling: model !== undefined, roots: roots !== undefined };
}

const ON = { sampling: { enabled: true }, roots: true };

describe('sampling for a server', () => {
  verifies('INB-03');

  it.each<[string, boolean, (entry: JsonObject) => Files]>([
    ['given by the user', true, (entry) => ({ user: { ...entry, ...ON } })],
    ['left alone by the user', false, (entry) => ({ user: entry })],
    ['given by a project to its own server', false, (entry) => ({ project: { ...entry, ...ON } })],
    [
      'given by a project to a server of the user',
      false,
      (entry) => ({ user: entry, project: ON }),
    ],
    [
      'given by the user, and its name taken by a project',
      false,
      (entry) => ({ user: { command: 'other', ...ON }, project: entry }),
    ],
    [
      'given by the user, and its arguments changed by a project',
      false,
      (entry) => ({
        user: { ...entry, args: ['mine.js'], ...ON },
        project: { args: entry['args'] ?? [] },
      }),
    ],
    [
      'given by the user and taken away by a project',
      false,
      (entry) => ({ user: { ...entry, ...ON }, project: { sampling: { enabled: false } } }),
    ],
    [
      'taken away by the user and given by a project',
      false,
      (entry) => ({ user: { ...entry, sampling: { enabled: false } }, project: ON }),
    ],
  ])('%s is on: %s', async (_, isOn, files) => {
    expect(await offered(local, files)).toMatchObject({ sampling: isOn });
  });
});

describe('the roots for a remote server', () => {
  verifies('INB-04');

  it.each<[string, boolean, (entry: JsonObject) => Files]>([
    ['given by the user', true, (entry) => ({ user: { ...entry, ...ON } })],
    ['left alone by the user', false, (entry) => ({ user: entry })],
    ['given by a project to its own server', false, (entry) => ({ project: { ...entry, ...ON } })],
    [
      'given by a project to a server of the user',
      false,
      (entry) => ({ user: entry, project: ON }),
    ],
    [
      'given by the user and taken away by a project',
      false,
      (entry) => ({ user: { ...entry, ...ON }, project: { roots: false } }),
    ],
  ])('%s are sent: %s', async (_, isTold, files) => {
    expect(await offered(remote, files)).toMatchObject({ roots: isTold });
  });

  it('are withheld from a local one if any source says so', async () => {
    expect([
      await offered(local, (entry) => ({ user: entry })),
      await offered(local, (entry) => ({
        user: { ...entry, roots: true },
        project: { roots: false },
      })),
      await offered(local, (entry) => ({ user: { ...entry, roots: false }, project: ON })),
    ]).toMatchObject([{ roots: true }, { roots: false }, { roots: false }]);
  });
});
