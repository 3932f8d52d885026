import * as fc from 'fast-check';
import { demandOf } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { bundleEntry, NO_ANSWERS } from '../../../src/plugins/bundle/bundle-entry.ts';
import { readManifest } from '../../../src/plugins/bundle/bundle-manifest.ts';
import {
  absolutePath,
  checkAnswer,
  type Question,
  readQuestions,
} from '../../../src/plugins/bundle/question.ts';
import { readAnswers } from '../../../src/plugins/bundle/stored-answers.ts';
import { manifestOf, runs } from './bundle.ts';

const found = (manifest: unknown): readonly unknown[] =>
  readManifest(manifest, 'linux').findings.map(({ code, path, message }) => [code, path, message]);

const config = ['server', 'mcp_config'];
const server = (changes: object) => manifestOf({ server: changes });

describe('the manifest of a bundle', () => {
  verifies('CFG-09');

  it('states its name, its command and its questions', () => {
    const manifest = runs(
      { args: ['a'], env: { B: 'b' } },
      {
        dirs: {
          type: 'directory',
          title: 'Dirs',
          description: 'Which',
          multiple: true,
          required: true,
        },
        key: { type: 'string', sensitive: true },
        n: { type: 'number', title: ' ', default: 2, min: 1, max: 3 },
      },
    );
    expect(readManifest({ ...manifest, name: 'My Files!' }, 'linux')).toEqual({
      name: 'My-Files',
      findings: [],
      manifest: {
        name: 'My-Files',
        version: '1.2.0',
        description: 'Reads files',
        run: {
          type: 'node',
          command: 'node',
          args: ['a'],
          env: { B: 'b' },
          at: {
            command: [...config, 'command'],
            args: [...config, 'args'],
            env: [...config, 'env'],
          },
        },
        questions: [
          {
            kind: 'paths',
            what: 'directory',
            name: 'dirs',
            title: 'Dirs',
            description: 'Which',
            isRequired: true,
            isSensitive: false,
          },
          {
            kind: 'text',
            name: 'key',
            title: 'key',
            isRequired: false,
            isSensitive: true,
            soundsSecret: true,
            minLength: 1,
          },
          {
            kind: 'number',
            name: 'n',
            title: 'n',
            isRequired: false,
            isSensitive: false,
            isInteger: false,
            fallback: 2,
            minimum: 1,
            maximum: 3,
          },
        ],
      },
    });
  });

  it('may be of the older .dxt format', () => {
    const { manifest_version: _, ...rest } = manifestOf();
    expect(found({ ...rest, dxt_version: '0.1' })).toEqual([]);
  });

  it.for([
    [[], [['wrong-type', [], 'A manifest must be an object.']]],
    [
      { name: 'x', manifest_version: 3 },
      [
        [
          'plugin-manifest',
          [],
          'This is not the manifest of a bundle: it has no "manifest_version".',
        ],
        ['wrong-type', ['server'], '"server" must be an object.'],
      ],
    ],
    [
      manifestOf({ name: '../..' }),
      [['bad-name', ['name'], 'The bundle needs a "name" with letters or digits.']],
    ],
    [
      manifestOf({ compatibility: { platforms: ['win32'] } }),
      [
        [
          'plugin-platform',
          ['compatibility', 'platforms'],
          'The bundle does not run on this system (linux).',
        ],
      ],
    ],
    [
      server({ type: 'perl' }),
      [
        [
          'bad-value',
          ['server', 'type'],
          '"server.type" must be one of: node, python, binary, uv.',
        ],
      ],
    ],
    [server({ type: 'node' }), [['wrong-type', config, '"server.mcp_config" must be an object.']]],
    [
      server({ type: 'node', mcp_config: { command: ' ', args: 'a', env: { A: 1 } } }),
      [
        ['wrong-type', [...config, 'command'], '"command" must be text, and not empty.'],
        ['wrong-type', [...config, 'args'], '"args" must be a list of texts.'],
        ['wrong-type', [...config, 'env'], '"env" must be an object of texts.'],
      ],
    ],
    ...['../x.py', '/x.py', 'C:\\x.py', '', undefined].map(
      (entry_point) =>
        [
          server({ type: 'uv', entry_point }),
          [
            [
              'bad-value',
              ['server', 'entry_point'],
              '"server.entry_point" must be a path in the bundle.',
            ],
          ],
        ] as const,
    ),
    [
      runs(
        {},
        {
          'a b': { type: 'string' },
          c: 'text',
          d: { type: 'colour' },
          e: { type: 'string', default: {} },
          f: { type: 'file', multiple: true, sensitive: true },
        },
      ),
      [
        [
          'bad-value',
          ['user_config', 'a b'],
          'A name in "user_config" may only hold A-Z a-z 0-9 _ . and -.',
        ],
        ['wrong-type', ['user_config', 'c'], '"user_config.c" must be an object.'],
        [
          'bad-value',
          ['user_config', 'd'],
          '"user_config.d" must have a "type": string, number, boolean, directory, file.',
        ],
        [
          'wrong-type',
          ['user_config', 'e'],
          '"user_config.e" has a "default" that is not a text, a number, a boolean or a list of texts.',
        ],
        ['bad-value', ['user_config', 'f'], '"user_config.f" is both "multiple" and "sensitive".'],
      ],
    ],
    [
      manifestOf({ user_config: [] }),
      [['wrong-type', ['user_config'], '"user_config" must be an object.']],
    ],
  ] as const)('is refused with the place of each mistake: %j', ([manifest, findings]) => {
    expect(found(manifest)).toEqual(findings);
    expect(readManifest(manifest, 'linux').manifest).toBeUndefined();
  });

  it('never throws, whatever it contains, and yields only text', () => {
    const key = fc.constantFrom(
      'manifest_version',
      'name',
      'server',
      'type',
      'node',
      'mcp_config',
      'command',
      'args',
      'env',
      'platform_overrides',
      'linux',
      'user_config',
      'default',
      'required',
      'multiple',
      '__proto__',
      'constructor',
    );
    const text = fc.constantFrom(
      '0.3',
      'node',
      'string',
      'directory',
      '${user_config.type}',
      '${__dirname}',
      '${',
      '',
    );
    const { hostile } = fc.letrec((tie) => ({
      hostile: fc.oneof(
        { depthSize: 'medium' },
        text,
        fc.constantFrom(null, true, 1, Number.NaN),
        fc.array(tie('hostile'), { maxLength: 3 }),
        fc.dictionary(key, tie('hostile'), { maxKeys: 6 }),
      ),
    }));
    const place = { folder: '/f', home: '/h', platform: 'linux', unanswered: 'leave-out' } as const;
    fc.assert(
      fc.property(hostile, hostile, hostile, (run, questions, whole) => {
        expect(readManifest(whole, 'linux').findings.length).toBeGreaterThan(0);
        const mcp_config = run;
        const made = manifestOf({ server: { type: 'node', mcp_config }, user_config: questions });
        const { manifest } = readManifest(made, 'linux');
        if (manifest === undefined) return;
        const { entry } = bundleEntry(manifest, NO_ANSWERS, place);
        const texts = [entry.command, ...entry.args, ...Object.values(entry.env)];
        expect(texts.filter((each) => typeof each !== 'string')).toEqual([]);
        expect(readAnswers(whole, manifest.questions).answers.secrets.size).toBeGreaterThanOrEqual(
          0,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("an answer to a bundle's question", () => {
  const question = (type: string, more: object = {}): Question => {
    const { questions } = readQuestions({ k: { type, title: 'K', required: true, ...more } });
    const [read] = questions;
    if (read === undefined) throw new Error(type);
    return read;
  };
  const absolute = (path: string): string => `abs:${path}`;

  it.for([
    [question('string'), 'text', 'text'],
    [question('string'), ['text'], 'text'],
    [question('number'), '4.5', 4.5],
    [question('number', { min: 1, max: 2 }), 2, 2],
    [question('boolean'), 'yes', true],
    [question('boolean'), false, false],
    [question('directory'), 'd', 'abs:d'],
    [question('file', { multiple: true }), ['a', 'b'], ['abs:a', 'abs:b']],
    [question('file', { multiple: true }), 'a', ['abs:a']],
  ] as const)('about %j may be %j', ([asked, given, value]) => {
    expect(checkAnswer(asked, given, absolute)).toEqual({ ok: true, value });
  });

  it.for([
    [question('string'), '', 'must be text, and not empty'],
    [question('string'), 'a\0b', 'must be a text'],
    [question('string'), ['a', 'b'], 'must be a text'],
    [question('number'), 'x', 'must be a number'],
    [question('number'), '', 'must be a number'],
    [question('number'), 'Infinity', 'must be a number'],
    [question('number', { min: 1 }), '0', 'must be at least 1'],
    [question('number', { max: 1 }), 2, 'must be at most 1'],
    [question('boolean'), 'perhaps', 'must be yes or no'],
    [question('file'), 7, 'must be a path'],
    [question('file', { multiple: true }), ['a', ''], 'must be a list of paths'],
  ] as const)('about %j must not be %j', ([asked, given, words]) => {
    const checked = checkAnswer(asked, given, absolute);
    expect(checked.ok || `must be ${demandOf(checked.error)}`).toBe(words);
  });

  it.for([
    ['a', '/work/a'],
    ['/a', '/a'],
    ['~', '/home/me'],
    ['~/a', '/home/me/a'],
    ['~other', '/work/~other'],
  ] as const)('with the path %s means %s', ([path, expected]) => {
    const from = { cwd: '/work', home: '/home/me', platform: 'linux' } as const;
    expect(absolutePath(path, from)).toBe(expected);
  });
});
