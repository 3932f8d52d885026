import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  addPermissionRule,
  removePermissionRules,
} from '../../../src/config/edit/edit-permissions.ts';

async function added(
  text: string | undefined,
  rule: Parameters<typeof addPermissionRule>[0]['rule'],
) {
  await using folder = await tempFolder();
  const file = `${folder.path}/settings.json`;
  if (text !== undefined) await folder.write('settings.json', text);
  const result = await addPermissionRule({ file, effect: 'allow', rule });
  return { result, text: await folder.read('settings.json') };
}

describe('adding a rule to a file', () => {
  verifies('POL-04');

  it.each([
    [
      undefined,
      '{\n  "mcpServers": {},\n  "permissions": {\n    "allow": [\n      "a/b"\n    ]\n  }\n}\n',
    ],
    [
      '{\n  "permissions": {\n    "deny": ["x/y"] // never\n  }\n}\n',
      '{\n  "permissions": {\n    "deny": ["x/y"], // never\n    "allow": [\n      "a/b"\n    ]\n  }\n}\n',
    ],
    ['{ "permissions": { "allow": [] } }', '{ "permissions": { "allow": ["a/b"] } }'],
    ['{ "permissions": { "allow": ["x/y"] } }', '{ "permissions": { "allow": ["x/y", "a/b"] } }'],
    [
      '{ "permissions": { "allow": [\n  "x/y", // this one too\n] } }',
      '{ "permissions": { "allow": [\n  "x/y", // this one too\n  "a/b",\n] } }',
    ],
    [
      '{ "permissions": { "allow": [\n  "x/y" // this one too\n] } }',
      '{ "permissions": { "allow": [\n  "x/y", // this one too\n  "a/b"\n] } }',
    ],
  ])('keeps the rest unchanged: %j', async (before, after) => {
    expect(await added(before, 'a/b')).toEqual({
      result: { ok: true, value: { kind: 'added' } },
      text: after,
    });
  });

  it('has no effect if the file already has the rule', async () => {
    const text = '{ "permissions": { "allow": [{ "tool": "a/b", "project": "/p" }] } }';
    expect(await added(text, { tool: 'a/b', project: '/p' })).toEqual({
      result: { ok: true, value: { kind: 'unchanged' } },
      text,
    });
  });

  it.each(['{ "permissions": [] }', '{ "permissions": { "allow": {} } }', '{ "permissions": {'])(
    'is refused for an invalid file: %s',
    async (text) => {
      expect(await added(text, 'a/b')).toMatchObject({
        result: { ok: false, error: { kind: 'invalid-file' } },
        text,
      });
    },
  );
});

describe('removing rules from a file', () => {
  async function removed(text: string) {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', text);
    const result = await removePermissionRules({
      file,
      tools: ['a/b', 'mcp__a__b'],
      effects: ['allow', 'deny'],
      project: '/p',
    });
    return { result, text: await folder.read('settings.json') };
  }

  it.each([
    ['{ "permissions": { "allow": ["a/b"] } }', '{ "permissions": { "allow": [] } }', 1],
    [
      '{ "permissions": { "allow": ["a/b", "x/y"] } }',
      '{ "permissions": { "allow": ["x/y"] } }',
      1,
    ],
    ['{ "permissions": { "deny": ["x/y", "a/b"] } }', '{ "permissions": { "deny": ["x/y"] } }', 1],
    [
      '{ "permissions": { "allow": [\n  "x/y",\n  // why\n  "mcp__a__b" // so\n] } }',
      '{ "permissions": { "allow": [\n  "x/y"\n] } }',
      1,
    ],
    [
      '{ "permissions": { "allow": ["a/b", { "tool": "a/b", "project": "/p" }], "deny": ["a/b"] } }',
      '{ "permissions": { "allow": [], "deny": [] } }',
      3,
    ],
    [
      '{ "permissions": { "ask": ["a/b"], "allow": ["a/*", { "tool": "a/b", "project": "/q" }] } }',
      '{ "permissions": { "ask": ["a/b"], "allow": ["a/*", { "tool": "a/b", "project": "/q" }] } }',
      0,
    ],
    ['{ "permissions": [] }', '{ "permissions": [] }', 0],
  ])('keeps the rest unchanged: %j', async (before, after, count) => {
    const { result, text } = await removed(before);
    expect(text).toBe(after);
    expect(result.ok && result.value.length).toBe(count);
  });
});
