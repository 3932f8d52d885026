import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Configuration, loadConfig } from '../../../src/sources/load-config.ts';
import { testEnvironment } from '../test-environment.ts';

const USER_FILE = 'home/.config/plugboard/settings.json';
const OWNER_FILE = 'managed-settings.json';

function load(
  folder: TempFolder,
  env: Readonly<Record<string, string>> = {},
): Promise<Configuration> {
  const path = join(folder.path, OWNER_FILE);
  return loadConfig({
    environment: testEnvironment(folder.path, { env }),
    enterprise: [{ path, scope: 'enterprise', format: 'policy', folder: folder.path }],
  });
}

describe('the setting "pins"', () => {
  verifies('POL-05');

  it('is read from the machine owner, and then from the user', async () => {
    await using folder = await tempFolder();
    await folder.write(OWNER_FILE, '{ "pins": "strict" }');
    await folder.write(USER_FILE, '{ "pins": "off" }');
    const { pins, diagnostics } = await load(folder);
    expect(pins.map(({ mode, scope }) => [mode, scope])).toEqual([
      ['strict', 'enterprise'],
      ['off', 'user'],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it.each(['.mcp.json', '.plugboard/settings.json', '.plugboard/settings.local.json'])(
    'has no effect in %s',
    async (file) => {
      await using folder = await tempFolder();
      await folder.write(`project/${file}`, '{ "mcpServers": {}, "pins": "off" }');
      const { pins, diagnostics } = await load(folder);
      expect([pins, diagnostics.map(({ code, line }) => [code, line])]).toEqual([
        [],
        [['unused-key', 1]],
      ]);
    },
  );

  it('has no effect in settings of the user that lie in the project', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    await folder.write('project/config/plugboard/settings.json', '{ "pins": "off" }');
    const env = { XDG_CONFIG_HOME: join(folder.path, 'project/config') };
    const { pins, diagnostics } = await load(folder, env);
    expect([pins, diagnostics.map(({ code }) => code)]).toEqual([[], ['unused-key']]);
  });

  it.each(['"of"', 'false', 'null', '["off"]'])('is strict if it is %s', async (value) => {
    await using folder = await tempFolder();
    await folder.write(USER_FILE, `{ "pins": ${value} }`);
    const { pins, diagnostics } = await load(folder);
    expect(pins.map(({ mode }) => mode)).toEqual(['strict']);
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ['error', 'bad-value'],
    ]);
  });
});
