import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { approve, readConfiguration } from '../../src/admission/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const servers = (entries: object) => JSON.stringify({ mcpServers: entries });

function read(folder: TempFolder, mcpConfig: readonly string[] = []) {
  return readConfiguration({
    environment: testEnvironment(folder.path),
    enterprise: [],
    mcpConfig,
  });
}

async function namesIn(folder: TempFolder, mcpConfig?: readonly string[]) {
  const { servers: found } = await read(folder, mcpConfig);
  return found.map(({ name, writtenAs }) => [name, writtenAs]);
}

describe('an invalid server name', () => {
  verifies('CFG-07');

  it('is replaced by a derived one in .mcp.json, with a notice at its place', async () => {
    await using folder = await tempFolder();
    const file = await folder.write(
      'project/.mcp.json',
      '{\n  "mcpServers": {\n    "My Server": { "command": "a" },\n    "b": { "command": "b" }\n  }\n}',
    );
    expect(await namesIn(folder)).toEqual([
      ['My-Server', 'My Server'],
      ['b', undefined],
    ]);
    const { diagnostics, rejected } = await read(folder);
    expect(rejected).toEqual([]);
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'bad-name',
        message: '"My Server" cannot be the name of a server here, so it is called "My-Server".',
        suggestion: 'Use "My-Server" in commands and settings, or rename it in the file.',
        file,
        line: 3,
        column: 5,
        server: 'My-Server',
      },
    ]);
  });

  it.each([
    ['сервер', 'server'],
    ['a.b/c', 'a-b-c'],
    ['my codebase!', 'my-codebase'],
    ['codebase!', 'my-codebase'],
    ['', 'server'],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('such as %j becomes %s', async (written, name) => {
    await using folder = await tempFolder();
    await folder.write('project/.mcp.json', servers({ [written]: { command: 'a' } }));
    expect(await namesIn(folder)).toEqual([[name, written]]);
  });

  it('never becomes that of another server, in whatever file', async () => {
    await using folder = await tempFolder();
    await folder.write(
      'project/.mcp.json',
      servers({ 'a b': { command: '1' }, 'a.b': { command: '2' }, 'c d': { command: '3' } }),
    );
    await folder.write(
      'home/.config/plugboard/settings.json',
      servers({ 'a-b': { command: 'mine' } }),
    );
    const expected = [
      ['a-b', undefined],
      ['a-b-2', 'a b'],
      ['a-b-3', 'a.b'],
      ['c-d', 'c d'],
    ];
    expect(await namesIn(folder)).toEqual(expected);
    await folder.write(
      'project/.mcp.json',
      servers({ 'c d': { command: '3' }, 'a.b': { command: '2' }, 'a b': { command: '1' } }),
    );
    expect(await namesIn(folder)).toEqual(expected);
  });

  it('is replaced quickly for very many names, and very long ones', async () => {
    await using folder = await tempFolder();
    const many = Array.from(
      { length: 20_000 },
      (_, index) => 'é'.repeat((index % 50) + 1) + '.'.repeat(index / 50),
    );
    const names = [...new Set([...many, `${'-'.repeat(1_000_000)}é`])];
    await folder.write(
      'project/.mcp.json',
      servers(Object.fromEntries(names.map((name) => [name, { command: 'a' }]))),
    );
    const found = (await read(folder)).servers.map(({ name }) => name);
    expect(new Set(found).size).toBe(names.length);
    expect(found.every((name) => /^[\w-]{1,64}$/.test(name))).toBe(true);
  });

  it('stands for one server in several files, and a patch may use the derived one', async () => {
    await using folder = await tempFolder();
    await folder.write('project/.mcp.json', servers({ 'a b': { command: 'project' } }));
    await folder.write('home/.claude.json', servers({ 'a b': { command: 'x', timeout: 5000 } }));
    await folder.write(
      'project/.plugboard/settings.local.json',
      servers({ 'a-b': { disabled: true } }),
    );
    const { servers: found } = await read(folder);
    expect(found.map(({ name, written }) => [name, written.disabled, written.timeout])).toEqual([
      ['a-b', true, 5000],
    ]);
  });

  it('is kept apart from an entry with the derived name in the same file', async () => {
    await using folder = await tempFolder();
    await folder.write(
      'project/.mcp.json',
      servers({ 'a b': { command: 'a' }, 'a-b': { disabled: true } }),
    );
    const { servers: found } = await read(folder);
    expect(found.map(({ name, written }) => [name, written.disabled])).toEqual([['a-b-2', false]]);
  });

  it("is replaced for --mcp-config too, and an error in Plugboard's own settings", async () => {
    await using folder = await tempFolder();
    expect(await namesIn(folder, [servers({ 'a b': { command: 'a' } })])).toEqual([['a-b', 'a b']]);
    await folder.write('project/.plugboard/settings.json', servers({ 'a b': { command: 'a' } }));
    const { diagnostics } = await read(folder);
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ['error', 'bad-name'],
    ]);
  });

  it('does not bypass a rule about it, nor does the derived one', async () => {
    await using folder = await tempFolder();
    await folder.write(
      'project/.mcp.json',
      servers({ 'a b': { command: 'a' }, 'c d': { command: 'c' } }),
    );
    await folder.write(
      'home/.config/plugboard/settings.json',
      '{ "deniedMcpServers": [{ "serverName": "a b" }, { "serverName": "c-d" }] }',
    );
    const { servers: found } = await read(folder);
    expect(found.map(({ name, admission }) => [name, admission.kind])).toEqual([
      ['a-b', 'blocked'],
      ['c-d', 'blocked'],
    ]);
  });

  it('has its approval bound to the derived one: another server of that name needs its own', async () => {
    await using folder = await tempFolder();
    const environment = testEnvironment(folder.path);
    await folder.write('project/.mcp.json', servers({ 'a b': { command: 'a' } }));
    const kinds = async () =>
      (await read(folder)).servers.map(({ name, admission }) => [name, admission.kind]);
    const [first] = (await read(folder)).servers;
    if (first?.admission.kind !== 'untrusted') throw new Error('it should wait');
    await approve(environment, first.admission.subject);
    expect(await kinds()).toEqual([['a-b', 'admitted']]);
    await folder.write(
      'project/.mcp.json',
      servers({ 'a b': { command: 'a' }, 'a-b': { command: 'evil' } }),
    );
    expect(await kinds()).toEqual([
      ['a-b', 'untrusted'],
      ['a-b-2', 'untrusted'],
    ]);
  });
});
