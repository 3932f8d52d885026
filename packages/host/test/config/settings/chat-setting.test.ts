import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../../src/admission/read-configuration.ts';
import { strongest } from '../../../src/config/index.ts';
import { testEnvironment } from '../test-environment.ts';

const USER_FILE = 'home/.config/plugboard/settings.json';
const SETTING = {
  model: 'house/small',
  providers: { house: { baseUrl: 'https://models.example/v1', apiKeyVariable: 'HOUSE_KEY' } },
};

async function load(folder: TempFolder, trust: 'stored' | 'project' = 'stored') {
  const environment = testEnvironment(folder.path);
  const { chat, diagnostics } = await readConfiguration({ environment, enterprise: [], trust });
  return {
    settings: chat.map(({ origin: _, ...setting }) => setting),
    problems: diagnostics.map(({ severity, message, line }) => `${line} ${severity}: ${message}`),
  };
}

describe('the setting "chat"', () => {
  verifies('AGT-01');

  it('is read from the settings of the user', async () => {
    await using folder = await tempFolder();
    await folder.write(USER_FILE, JSON.stringify({ chat: SETTING }));
    expect(await load(folder)).toEqual({ settings: [{ scope: 'user', ...SETTING }], problems: [] });
  });

  it.each([
    ['.mcp.json', 'stored'],
    ['.plugboard/settings.json', 'stored'],
    ['.plugboard/settings.json', 'project'],
    ['.plugboard/settings.local.json', 'project'],
  ] as const)('sends no key anywhere because of %s, with trust %s', async (file, trust) => {
    await using folder = await tempFolder();
    await folder.write(`project/${file}`, JSON.stringify({ mcpServers: {}, chat: SETTING }));
    expect(await load(folder, trust)).toEqual({
      settings: [],
      problems: ['1 warning: "chat" has no effect in a file that may have come with a project.'],
    });
  });

  it('is reported if it is invalid in part, and the valid part counts', async () => {
    await using folder = await tempFolder();
    await folder.write(
      USER_FILE,
      '{ "chat": { "model": "a/b", "providers": { "x": 3 }, "mood": 1 } }',
    );
    expect(await load(folder)).toEqual({
      settings: [{ scope: 'user', model: 'a/b' }],
      problems: [
        '1 error: "chat.providers.x" must be an object.',
        '1 error: "chat" can only have "model", "toolBudget", "code", "mode", "vim", "theme", "providers".',
      ],
    });
  });

  it('decides about a field if it is the strongest that has it, also with false', () => {
    const settings = [{ model: 'a/b' }, { code: false, model: 'c/d' }, { code: true }];
    const read = (field: 'model' | 'code' | 'theme') =>
      strongest<{ model?: string; code?: boolean; theme?: string }, typeof field>(settings, field);
    expect([read('model'), read('code'), read('theme')]).toEqual(['a/b', false, undefined]);
  });
});
