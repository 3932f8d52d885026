// A working directory with every file that loading reads, which a test fills with any content, and the
// conditions that must hold whatever the content is.

import { createHook } from 'node:async_hooks';
import { join } from 'node:path';
import type { TempFolder } from '@plugboard/testkit';
import { expect } from 'vitest';
import { type AdmittedConfiguration, readConfiguration } from '../../src/admission/index.ts';
import type { ConfigFile } from '../../src/config/index.ts';
import { connectorFile } from '../../src/connectors/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const USER = 'home/.config/plugboard';
const CONNECTOR = { acme: { url: 'https://acme.example/servers' } };
/** Always loaded, whatever the other files contain. */
const KEPT = ['kept-1', 'kept-2', 'kept-3'];

/** Every file that is read, except the one with the servers that must always load. */
export const PLACES: readonly string[] = [
  'project/.mcp.json',
  'project/.plugboard/settings.json',
  'project/.plugboard/settings.local.json',
  'project/.claude/settings.json',
  'project/.claude/settings.local.json',
  'home/.claude/settings.json',
  `${USER}/plugins/p/.claude-plugin/plugin.json`,
  `${USER}/plugins/q/.mcp.json`,
  `${USER}/plugins/r/manifest.json`,
  `${USER}/plugins/s.values.json`,
  'project/.plugboard/plugins/p/plugin.json',
  'home/.local/state/plugboard/trust.json',
  'connector-list',
  'policy.json',
];

/** In addition to the files of the test, there is one valid plugin of each kind, and one connector. */
export async function hostilePlace(folder: TempFolder): Promise<void> {
  await folder.mkdir('project/.git');
  const entry = { command: 'sh', args: ['-c', 'exit 1'], lifecycle: 'eager' };
  const mcpServers = Object.fromEntries(KEPT.map((name) => [name, { ...entry, env: { name } }]));
  await folder.write(
    `${USER}/settings.json`,
    JSON.stringify({ mcpServers, connectors: CONNECTOR }),
  );
  await folder.write(`${USER}/plugins/q/plugin.json`, '{ "name": "q" }');
  await folder.write(
    `${USER}/plugins/s/manifest.json`,
    JSON.stringify({
      manifest_version: '0.3',
      name: 's',
      version: '1.0.0',
      description: 'd',
      author: { name: 'a' },
      server: { type: 'node', entry_point: 'x', mcp_config: { command: 'node', args: ['x'] } },
      user_config: { dirs: { type: 'directory', title: 'D', multiple: true } },
    }),
  );
}

export function placeIn(folder: TempFolder, place: string): string {
  if (place !== 'connector-list') return place;
  const origin = { kind: 'given', by: 'test' } as const;
  const settings = { name: 'acme', url: CONNECTOR.acme.url, headers: {}, origin };
  const file = connectorFile(settings, testEnvironment(folder.path));
  return file.slice(folder.path.length + 1);
}

export async function loadHostile(folder: TempFolder): Promise<AdmittedConfiguration> {
  const environment = testEnvironment(folder.path, { env: { HOME: '/home/me', TOKEN: 't0ken' } });
  const path = join(folder.path, 'policy.json');
  const policy: ConfigFile = { path, scope: 'enterprise', format: 'policy', folder: folder.path };
  return await nothingRuns(() => readConfiguration({ environment, enterprise: [policy] }));
}

/** Fails if a process is started in the meantime. */
export async function nothingRuns<T>(task: () => Promise<T>): Promise<T> {
  let started = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROCESSWRAP') started += 1;
    },
  }).enable();
  try {
    return await task();
  } finally {
    hook.disable();
    expect(started).toBe(0);
  }
}

/** Checks that nothing was lost, that every problem has its place, and that prototypes are unchanged. */
export function expectSound(found: AdmittedConfiguration): void {
  const names = found.servers.map(({ name }) => name);
  expect(KEPT.filter((name) => !names.includes(name))).toEqual([]);
  const all = [
    ...found.diagnostics,
    ...found.rejected.flatMap(({ diagnostics }) => diagnostics),
    ...found.servers.flatMap(({ resolved }) =>
      resolved.kind === 'ready' ? [] : resolved.diagnostics,
    ),
  ];
  const bad = all.filter(
    ({ message, suggestion, file, line, column }) =>
      message === '' || suggestion === '' || file === '' || !isPlace(line) || !isPlace(column),
  );
  expect(bad).toEqual([]);
  for (const { name } of [...found.servers, ...found.rejected]) found.explain(name);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
}

function isPlace(number: number): boolean {
  return Number.isInteger(number) && number >= 0;
}
