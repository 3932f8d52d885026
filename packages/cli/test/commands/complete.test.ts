// The candidates that `plugboard __complete` prints for shells. completion-shells.test.ts tests how shells use them.

import { readdir } from 'node:fs/promises';
import type { Command } from 'commander';
import { everything, scriptedServer, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidatesAt } from '../../src/commands/candidates.ts';
import { commandLine } from '../../src/commands/command-line.ts';
import { cursorOf } from '../../src/commands/cursor.ts';
import { unquoted } from '../../src/commands/split-words.ts';
import { type Run, type Sandbox, sandbox } from '../sandbox.ts';

const output = { write: () => {}, isTty: false, hasColour: false, columns: 80 };
const input = {
  isTty: false,
  ask: () => expect.unreachable('nothing is asked'),
  readAll: () => expect.unreachable('nothing is read'),
};
const terminal = { input, out: output, err: output, interrupted: new AbortController().signal };
const context = { terminal, version: '0.0.0', isJson: false, trust: 'stored' } as const;
const program = commandLine(context, { done: () => {}, writeHelp: () => {} });

const complete = (box: Sandbox, ...words: readonly string[]): Promise<Run> =>
  box.run(['__complete', 'fish', '--', 'plugboard', ...words]);

const answer = (...lines: readonly string[]): Run => ({
  code: 0,
  stdout: lines.map((line) => `${line}\n`).join(''),
  stderr: '',
});

/** Every visible command, with its words. */
function commandsBelow(
  parent: Command,
  path: readonly string[],
): readonly (readonly [readonly string[], Command])[] {
  return parent.commands
    .filter((command) => !command.name().startsWith('__'))
    .flatMap((command) => {
      const way = [...path, command.name()];
      return [[way, command] as const, ...commandsBelow(command, way)];
    });
}

const offeredAfter = async (...words: readonly string[]): Promise<readonly string[]> =>
  (await candidatesAt(cursorOf(program, words), context)).map(({ value }) => value);

describe('shell completion', () => {
  verifies('CLI-04');
  const all = commandsBelow(program, []);

  it('offers every command with its options and subcommands', async () => {
    expect(all.length).toBeGreaterThan(10);
    expect(await offeredAfter('')).toEqual(
      program.commands.map((command) => command.name()).filter((name) => name !== '__complete'),
    );
    for (const [path, command] of [[[], program] as const, ...all]) {
      // The server parses and explains the words after `codebase`.
      const help = command.name() === 'codebase' ? [] : ['--help'];
      const shown = command.options.filter(({ hidden }) => !hidden);
      const options = [...shown.map(({ long }) => long), ...help];
      expect({ path, options: await offeredAfter(...path, '-') }).toEqual({ path, options });
      if (command.commands.length > 0) {
        const names = await offeredAfter(...path, '');
        expect(names).toEqual(
          command.commands.map((inner) => inner.name()).filter((name) => name !== '__complete'),
        );
      }
    }
  });

  it('knows the kind of each argument', async () => {
    const wants = all.flatMap(([path, command]) =>
      command.registeredArguments.map((argument, index) => {
        const before = Array.from({ length: index }, () => 'x');
        const { want } = cursorOf(program, [...path, ...before, '']);
        return `${path.join(' ')} ${argument.name()}: ${want.kind === 'value' ? want.name : want.kind}`;
      }),
    );
    expect(wants).toEqual(
      expect.arrayContaining([
        'get name: name',
        'add name: nothing',
        'add target: nothing',
        'remove name: name',
        'tools server: server',
        'call server: server',
        'call tool: tool',
        'call arguments: arguments',
        'doctor server: server',
        'logs server: server',
        'trace server: server',
        'completion shell: shell',
        'help command: command',
      ]),
    );
  });
});

describe('the position of the cursor', () => {
  it.each([
    [['add', 'x', '--scope', ''], { kind: 'value', name: 'scope', before: [] }],
    [['add', 'x', '-s', ''], { kind: 'value', name: 'scope', before: [] }],
    [['add', '--scope', 'user', 'x', '--', ''], { kind: 'file' }],
    [['add', '--scope=user', 'x', '--', 'node', '-'], { kind: 'file' }],
    [
      ['call', 'a', 'b', 'c=1', ''],
      { kind: 'value', name: 'arguments', before: ['a', 'b', 'c=1'] },
    ],
    [['call', '--json', 'a', ''], { kind: 'value', name: 'tool', before: ['a'] }],
    [['call', '--', 'a', ''], { kind: 'value', name: 'tool', before: ['a'] }],
    [['list', 'too-much', ''], { kind: 'nothing' }],
    [['logs', '-n', '5', ''], { kind: 'value', name: 'server', before: [] }],
    // Hidden commands are not offered.
    [['__complete', ''], { kind: 'nothing' }],
  ])('is recognized in %j', (words, want) => {
    expect(cursorOf(program, words).want).toEqual(want);
  });

  it('is found in any words', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'call',
        'add',
        '--',
        '--scope',
        '-s',
        '--scope=',
        'config',
        '-',
        '',
        '--json',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(cursorOf(program, words).typed).toBe(words.at(-1) ?? '');
      }),
    );
  });
});

describe('removing shell quotes', () => {
  it.each([
    ['plain', 'plain'],
    ['a\\ b', 'a b'],
    [`'a b'c`, 'a bc'],
    [`"a \\"b\\" \\n"`, 'a "b" \\n'],
    [`"open`, 'open'],
    [`'open`, 'open'],
    ['end\\', 'end'],
    ['$(touch x)', '$(touch x)'],
  ])('handles %s', (word, plain) => {
    expect(unquoted(word)).toBe(plain);
  });
});

describe('the offered completions', () => {
  it('are servers, with their commands and without secrets', async () => {
    await using box = await sandbox({
      local: { command: 'npx', args: ['-y', 'pkg', '--token', 'abc123'] },
      off: { command: 'x', disabled: true },
      remote: { url: 'https://example.com/mcp?key=secret' },
      wrong: { command: 7 },
    });
    expect(await complete(box, 'get', '')).toEqual(
      answer(
        'local\tnpx -y pkg --token (hidden)',
        'off\tdisabled',
        'remote\thttps://example.com/mcp',
        'wrong\tinvalid',
      ),
    );
    expect(await complete(box, 'get', 'r')).toEqual(answer('remote\thttps://example.com/mcp'));
  });

  it('are tools and their arguments, once they were listed', async () => {
    await using box = await sandbox({ every: everything() });
    expect(await complete(box, 'call', 'every', '')).toEqual(answer());
    expect((await box.run(['tools'])).code).toBe(0);
    expect(await complete(box, 'call', 'every', 'get-su')).toEqual(
      answer('get-sum\tReturns the sum of two numbers'),
    );
    expect(await complete(box, 'call', 'every', 'get-sum', '')).toEqual(
      answer('a=\tnumber: First number', 'b=\tnumber: Second number'),
    );
    expect(await complete(box, 'call', 'every', 'get-sum', 'a=1', '')).toEqual(
      answer('b=\tnumber: Second number'),
    );
  });

  it('are the values that a schema names, and files after @', async () => {
    await using box = await sandbox({
      server: scriptedServer({
        builtIns: [],
        tools: [
          {
            name: 'tool',
            inputSchema: {
              type: 'object',
              properties: {
                unit: { enum: ['metric', 'imperial', 3] },
                loud: { type: 'boolean' },
                free: { type: 'string' },
              },
            },
          },
        ],
      }),
    });
    await box.write('sub/one.json', '{}');
    await box.write('.hidden', '');
    expect((await box.run(['tools'])).code).toBe(0);
    const values = (word: string): Promise<Run> => complete(box, 'call', 'server', 'tool', word);
    expect(await values('unit=')).toEqual(answer('unit=metric', 'unit=imperial', 'unit=3'));
    expect(await values('loud:=t')).toEqual(answer('loud:=true'));
    expect(await values('free=')).toEqual(answer());
    expect(await values('free=@')).toEqual(answer('free=@sub/'));
    expect(await values('free=@.h')).toEqual(answer('free=@.hidden'));
    // A separate process, since typed paths are relative to its folder.
    const words = ['plugboard', 'call', 'server', 'tool', 'free:=@sub/'];
    expect(await box.runProcess(['__complete', 'fish', '--', ...words])).toEqual(
      answer('free:=@sub/one.json'),
    );
    expect(await values('free=@/no/such/')).toEqual(answer());
  });

  it('contain no terminal sequences, and no value that would be parsed as an option', async () => {
    const names = ['a\u001B[2Jb', 'two\nlines', 'tab\there', 'turn\u202Eed', '--json', 'good'];
    await using box = await sandbox({
      evil: scriptedServer({
        builtIns: [],
        tools: names.map((name) => ({
          name,
          description: 'say\u001B]0;title\u0007\nmore\tand\u009B31m',
          inputSchema: {
            type: 'object',
            properties: Object.fromEntries([...names, 'a=b', 'c:d'].map((key) => [key, {}])),
          },
        })),
      }),
    });
    await box.write('../home/.config/plugboard/settings.json', '{ "pins": "off" }');
    await box.run(['tools']);
    expect(await complete(box, 'call', 'evil', '')).toEqual(answer('good\tsay more and31m'));
    expect(await complete(box, 'call', 'evil', 'good', '')).toEqual(answer('good='));
  });

  it('start no server', async () => {
    await using box = await sandbox({ trap: { command: 'touch', args: ['started'] } });
    await Promise.all([
      complete(box, 'call', ''),
      complete(box, 'call', 'trap', ''),
      complete(box, 'call', 'trap', 'tool', ''),
    ]);
    expect((await readdir(box.project)).toSorted()).toEqual(['.git', '.mcp.json']);
  });

  it.each([
    [[]],
    [['bash']],
    [['tcsh', '--', 'plugboard', 'li']],
    [['bash', '--unknown', '--', 'plugboard', '']],
    [['bash', '--']],
    [['bash', '--', 'plugboard', 'get', '']],
    [['bash', '--', 'plugboard', 'call', 'x', 'y', '']],
  ])('are empty, without an error, for %j with broken files', async (args) => {
    await using box = await sandbox();
    await box.write('.mcp.json', ']');
    await box.write('.plugboard/settings.json/file', 'a folder where a file should be');
    const { code, stderr } = await box.run(['__complete', ...args]);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('are produced by a command that help does not show or suggest', async () => {
    await using box = await sandbox();
    expect((await box.run(['--help'])).stdout).not.toContain('__complete');
    expect((await box.run(['_complete'])).stderr).not.toContain('__complete');
  });
});
