// Broken files as found in practice, and files that an attacker could write, each of them in every place that
// is read.

import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/index.ts';
import { testEnvironment } from '../config/test-environment.ts';
import {
  expectSound,
  hostilePlace,
  loadHostile,
  nothingRuns,
  placeIn,
  PLACES,
} from './hostile-place.ts';

const CORPUS = fileURLToPath(new URL('fixtures/corpus/', import.meta.url));
const INPUTS = readdirSync(CORPUS)
  .filter((name) => name.endsWith('.input'))
  .map((name) => basename(name, '.input'))
  .toSorted();

const bytesOf = (input: string): Buffer => readFileSync(join(CORPUS, `${input}.input`));

describe('a hostile configuration file', () => {
  verifies('CFG-06');

  it.each(PLACES)(
    'as %s breaks nothing, hides no other server and starts nothing',
    async (place) => {
      await using folder = await tempFolder();
      await hostilePlace(folder);
      const path = await folder.write(placeIn(folder, place), '');
      for (const input of INPUTS) {
        await writeFile(path, bytesOf(input));
        expectSound(await loadHostile(folder));
      }
    },
  );

  it('is read as .mcp.json exactly as written', async () => {
    const found: Record<string, unknown> = {};
    await using folder = await tempFolder();
    await hostilePlace(folder);
    const file = await folder.write('project/.mcp.json', '');
    for (const input of INPUTS) {
      await writeFile(file, bytesOf(input));
      const { servers, rejected, diagnostics } = await loadHostile(folder);
      const own = servers.filter(({ scope }) => scope === 'project');
      found[input] = [
        own.map(({ name, resolved }) => (resolved.kind === 'ready' ? name : `${name}?`)).join(' '),
        rejected.map(({ name }) => JSON.stringify(name.slice(0, 12))).join(' '),
        diagnostics
          .filter((diagnostic) => diagnostic.file === file)
          .map(({ code, line, column }) => `${code}@${line}:${column}`)
          .join(' '),
      ];
    }
    expect(found).toEqual(EXPECTED);
  });

  it('starts nothing in a host until the user approves', async () => {
    await using folder = await tempFolder();
    await hostilePlace(folder);
    await folder.write('home/.config/plugboard/settings.json', '{}');
    await folder.write('project/.mcp.json', bytesOf('would-do-harm').toString());
    const environment = testEnvironment(folder.path);
    await nothingRuns(async () => {
      await using host = await createHost({ environment });
      expect(host.servers.map(({ name, state }) => [name, state.kind])).toEqual([
        ['a', 'untrusted'],
        ['b', 'untrusted'],
        ['c', 'untrusted'],
        ['plugin:s:s', 'untrusted'],
      ]);
      const { tools } = await host.tools();
      expect(tools).toEqual([]);
    });
  });
});

/** By file: servers (`?` if one is not ready), rejected names, and diagnostics with their places. */
const EXPECTED: Readonly<Record<string, readonly [string, string, string]>> = {
  'as-a-bundle': [
    '',
    '"manifest_ver" "name" "server" "user_config" "version"',
    'wrong-type@1:21 wrong-type@1:34 wrong-type@1:56 bad-value@1:75 unknown-key@1:82 unknown-key@1:106 command-or-url@1:221 unknown-key@1:236 unknown-key@1:266',
  ],
  'as-a-list': [
    '',
    '"answer" "at"',
    'wrong-type@1:7 command-or-url@1:21 unknown-key@1:31 unknown-key@1:151',
  ],
  'as-a-plugin': ['', '', 'wrong-type@1:37'],
  'as-answers': [
    '',
    '"secrets" "values"',
    'command-or-url@1:2 unknown-key@1:12 unknown-key@1:42 unknown-key@1:60 command-or-url@1:75 unknown-key@1:86',
  ],
  'as-consents': ['', '"consents" "format"', 'wrong-type@1:11 wrong-type@1:24'],
  'bad-names': [
    `a a-b a-b-2 a-b-3 good mcp__a ${'n'.repeat(64)} plugin-a server server-2`,
    '"plugin:a:b" "workspace"',
    'bad-name@1:16 bad-name@1:35 bad-name@1:57 bad-name@1:79 bad-name@1:100 bad-name@1:123 bad-name@1:174 bad-name@1:201 bad-name@1:230 reserved-name@1:319',
  ],
  'byte-order-mark': ['a', '', ''],
  'carriage-returns': ['a', '"b"', 'wrong-type@5:23'],
  'comment-everywhere': ['a', '', ''],
  'conflict-markers': ['a b', '', 'syntax@3:1 duplicate-key@4:5'],
  connectors: ['a', '', 'unused-key@1:2'],
  'cut-after-colon': ['a', '"b"', 'syntax@1:51'],
  'cut-after-name': ['a', '"b"', 'syntax@1:39'],
  'cut-in-escape': ['a', '"b"', 'syntax@1:51'],
  'cut-in-string': ['a', '"b"', 'syntax@1:51'],
  devices: ['a? b? c? d? e good', '', ''],
  'duplicate-keys': [
    'a b',
    '',
    'duplicate-key@1:2 duplicate-key@1:52 duplicate-key@1:78 duplicate-key@1:115',
  ],
  empty: ['', '', 'file-empty@1:1'],
  'entries-of-other-types': [
    'good',
    '"a" "b" "c" "d" "e"',
    'wrong-type@1:20 wrong-type@1:29 wrong-type@1:36 wrong-type@1:44 wrong-type@1:50',
  ],
  'escape-sequences': ['a good', '', 'unknown-key@1:54 unknown-key@1:100'],
  'escaped-nul': ['a? b', '', ''],
  'extreme-numbers': [
    'good',
    '"a" "b" "c" "d" "e"',
    'wrong-type@1:45 bad-value@1:81 wrong-type@1:114 bad-value@1:149 wrong-type@1:217',
  ],
  'half-characters': ['a good', '', ''],
  html: ['', '', 'syntax@1:1'],
  'invalid-utf8': ['', '', 'file-not-text@1:1'],
  javascript: ['', '', 'syntax@1:1'],
  json5: ['', '', 'syntax@1:3'],
  list: ['', '', 'wrong-type@1:1'],
  'lone-carriage-returns': ['a b', '', ''],
  nul: ['', '', 'file-not-text@1:1'],
  null: ['', '', 'wrong-type@1:1'],
  number: ['', '', 'wrong-type@1:1'],
  'odd-placeholders': ['p0? p1? p10? p11 p2? p3? p4 p5? p6? p7? p8 p9?', '', ''],
  'only-comment': ['', '', 'file-empty@1:1'],
  'open-comment': ['a', '', 'syntax@1:38'],
  'overlong-utf8': ['', '', 'file-not-text@1:1'],
  policies: [
    'a',
    '',
    'wrong-type@1:22 bad-value@1:61 wrong-type@1:78 bad-value@1:81 wrong-type@1:116 wrong-type@1:120 bad-value@1:142 bad-value@1:146',
  ],
  'prototype-keys': [
    '__proto__ constructor hasOwnProperty toString',
    '',
    'unknown-key@1:2 unknown-key@1:53 unknown-key@1:212 unknown-key@1:314 unknown-key@1:344 unknown-key@1:433 unknown-key@1:465 unknown-key@1:511',
  ],
  'random-ascii': ['', '', 'syntax@1:1'],
  'random-bytes': ['', '', 'file-not-text@1:1'],
  'raw-control-characters': ['good', '"a"', 'syntax@1:31'],
  'servers-list': ['', '', 'wrong-type@1:15'],
  'servers-null': ['', '', 'wrong-type@1:15'],
  'servers-text': ['', '', 'wrong-type@1:15'],
  spaces: ['', '', 'file-empty@1:1'],
  text: ['', '', 'wrong-type@1:1'],
  toml: ['', '', 'syntax@1:2'],
  'trailing-garbage': ['a', '', 'syntax@1:38'],
  'two-byte-order-marks': ['a', '', 'syntax@1:1'],
  'two-documents': ['', '', 'syntax@2:1'],
  utf16: ['', '', 'file-not-text@1:1'],
  'would-do-harm': ['a b c', '', ''],
  'wrong-types': [
    'good',
    '"alwaysLoad" "args" "connectTimeo" "cwd" "disabled" "env" "envFile" "lifecycle" "permissions" "protocol" "reconnect" "required" "timeout" "tools"',
    'wrong-type@5:12 wrong-type@9:11 wrong-type@13:11 wrong-type@17:15 wrong-type@21:16 wrong-type@25:15 bad-value@29:22 wrong-type@33:17 wrong-type@37:13 wrong-type@41:19 wrong-type@45:16 bad-value@49:17 wrong-type@53:18 bad-value@57:16',
  ],
};
