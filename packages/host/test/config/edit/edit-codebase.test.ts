import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { switchCodebase } from '../../../src/config/edit/edit-codebase.ts';

async function switched(text: string, to: 'enabled' | 'disabled') {
  await using folder = await tempFolder();
  const file = await folder.write('settings.json', text);
  const result = await switchCodebase({ file, to });
  return [result.ok ? result.value.kind : result.error.kind, await folder.read('settings.json')];
}

describe('the switch of the built-in server in a file', () => {
  verifies('CFG-14');

  it.each([
    ['{}', '{\n  "codebase": {\n    "disabled": true\n  }\n}'],
    ['{ "codebase": {} }', '{ "codebase": {\n  "disabled": true\n} }'],
    ['{ "codebase": { "disabled": false } }', '{ "codebase": { "disabled": true } }'],
    [
      '{ "codebase": { "embedder": "none" } }',
      '{ "codebase": { "embedder": "none", "disabled": true } }',
    ],
  ])('can be turned off: %j', async (before, after) => {
    expect(await switched(before, 'disabled')).toEqual(['changed', after]);
    expect(await switched(after, 'disabled')).toEqual(['unchanged', after]);
  });

  it.each([
    [
      '{ "codebase": { "embedder": "none", "disabled": true } }',
      '{ "codebase": { "embedder": "none" } }',
    ],
    ['{ "pins": "tofu", "codebase": { "disabled": true } }', '{ "pins": "tofu" }'],
  ])('can be turned on: %j', async (before, after) => {
    expect(await switched(before, 'enabled')).toEqual(['changed', after]);
    expect(await switched(after, 'enabled')).toEqual(['unchanged', after]);
  });

  it('is not written into an invalid setting', async () => {
    const text = '{ "codebase": true }';
    expect(await switched(text, 'disabled')).toEqual(['invalid-file', text]);
  });
});
