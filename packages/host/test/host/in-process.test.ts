import { inProcessServer, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { allowAll, createHost } from '../../src/index.ts';
import { loadConfig } from '../../src/sources/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

describe('servers that the program hands over', () => {
  it.each(['plain', 'with spaces & signs', 'codebase', 'mcpServers'])(
    'may have any name: %s',
    async (name) => {
      verifies('TRN-06');
      const inProcess = { [name]: await inProcessServer() };
      await using host = await createHost({ files: 'none', inProcess, approve: allowAll });
      expect(host.diagnostics).toEqual([]);
      expect(host.servers).toMatchObject([{ name, transport: 'in-process' }]);
      const outcome = await host.call({ server: name, tool: 'echo' }, { message: 'hi' });
      expect(outcome).toMatchObject({ kind: 'result', parts: [{ kind: 'text', text: 'hi' }] });
    },
  );

  it('are shown and never connected to while the settings disable them', async () => {
    verifies('TRN-06', 'CFG-15');
    await using folder = await tempFolder();
    const environment = testEnvironment(folder.path);
    const settings = 'home/.config/plugboard/settings.json';
    await folder.write(settings, '{ "codebase": { "disabled": true } }');
    let connected = 0;
    const server = await inProcessServer();
    const connect: typeof server.connect = (transport) => {
      connected += 1;
      return server.connect(transport);
    };
    const inProcess = { codebase: { connect } };
    await using host = await createHost({ environment, inProcess, approve: allowAll });
    const call = () => host.call({ server: 'codebase', tool: 'echo' }, { message: 'hi' });
    expect(host.servers).toMatchObject([{ name: 'codebase', state: { kind: 'disabled' } }]);
    expect(await call()).toMatchObject({ kind: 'not-connected', reason: { kind: 'disabled' } });
    expect(connected).toBe(0);
    await folder.write(settings, '{}');
    await waitUntil(() => host.servers[0]?.state.kind === 'idle', { describe: 'it is back' });
    expect(await call()).toMatchObject({ kind: 'result' });
    await folder.write(settings, '{ "codebase": { "disabled": true } }');
    await waitUntil(() => host.servers[0]?.state.kind === 'disabled', {
      describe: 'it is left out',
    });
    expect(await call()).toMatchObject({ kind: 'not-connected', reason: { kind: 'disabled' } });
  });

  it.each([
    ['asked again in the next run', undefined, 2],
    ['known in the next run where they name an edition', 'mine 1', 1],
  ])('are %s', async (_, edition, times) => {
    verifies('CON-02');
    await using folder = await tempFolder();
    const environment = testEnvironment(folder.path);
    let connected = 0;
    for (const run of [1, 2]) {
      const server = await inProcessServer();
      const connect: typeof server.connect = (transport) => {
        connected += 1;
        return server.connect(transport);
      };
      const mine = { connect, ...(edition === undefined ? {} : { edition }) };
      await using host = await createHost({ environment, files: 'none', inProcess: { mine } });
      const { tools } = await host.tools();
      expect({ run, tools: tools.map(({ tool }) => tool) }).toEqual({
        run,
        tools: ['add', 'echo'],
      });
    }
    expect(connected).toBe(times);
  });

  it('are not excluded by an enterprise file', async () => {
    verifies('TRN-06');
    await using folder = await tempFolder();
    const path = await folder.write('managed.json', '{ "mcpServers": {} }');
    const enterprise = [
      { path, scope: 'enterprise', format: 'managed', folder: folder.path },
    ] as const;
    const environment = testEnvironment(folder.path);
    const given = { mine: { type: 'sdk' }, other: { command: 'x' } };
    const { servers, diagnostics } = await loadConfig({ environment, enterprise, given });
    expect(servers.map(({ name }) => name)).toEqual(['mine']);
    expect(diagnostics.map(({ code, server }) => [code, server])).toEqual([
      ['enterprise-exclusive', 'other'],
    ]);
  });
});
