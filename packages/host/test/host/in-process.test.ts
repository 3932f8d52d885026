import { inProcessServer, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { allowAll, createHost } from '../../src/index.ts';
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

  it('are no part of what an enterprise file excludes', async () => {
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
