// Every command that prints a table, on real terminals of several widths. Also colour and progress on a terminal.

import {
  everything,
  isLong,
  scriptedServer,
  type StdioEntry,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { widthOf } from '../src/print/width.ts';
import { realScreenOf, screenOf } from './on-terminal.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

const RESULTS_ONLY = '2>/dev/null';
const LONG_NAME = 'a-server-with-a-name-as-long-as-names-may-be-which-is-64-letters';
const LONG_TOOL = 'a_tool_whose_name_is_rather_long_and_goes_on_for_quite_a_while_日本語';

const WORDS = 'Goes on for longer than any screen is wide. '.repeat(8);

/** A server with some of everything. The long form uses a published one. */
function every(): StdioEntry {
  if (isLong) return everything();
  return scriptedServer({
    builtIns: ['echo', 'add', 'error'],
    tools: [
      {
        name: 'trigger-a-rather-long-running-operation',
        title: 'A title of some length for a tool',
        description: WORDS,
        inputSchema: { type: 'object', properties: { steps: { type: 'number' } } },
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
    ],
    library: {
      resources: [
        {
          uri: `demo://resource/static/document/${'folder/'.repeat(20)}features.md`,
          name: 'a-document-with-a-name-that-is-not-short.md',
          title: WORDS,
          mimeType: 'text/markdown',
        },
      ],
      templates: [
        {
          uriTemplate: `demo://resource/dynamic/text/${'folder/'.repeat(20)}{resourceId}`,
          name: 'Dynamic Text Resource',
          description: WORDS,
        },
      ],
      prompts: [
        { name: 'simple-prompt', description: 'A prompt with no arguments' },
        {
          name: 'a-prompt-with-a-name-that-is-not-short',
          description: WORDS,
          arguments: [{ name: 'city', description: WORDS, required: true }, { name: 'state' }],
        },
      ],
    },
  });
}

/** Everything that makes tables wide: long names, long commands, wide characters, and a server that fails. */
async function wideBox(): Promise<Sandbox> {
  const box = await sandbox({
    every: every(),
    [LONG_NAME]: scriptedServer({
      builtIns: ['echo'],
      tools: [
        {
          name: LONG_TOOL,
          description: `${'すべての言葉 '.repeat(40)}${'words '.repeat(60)}`,
          inputSchema: { type: 'object' },
        },
      ],
    }),
    broken: { command: `/no/such/${'folder/'.repeat(30)}program`, args: ['--and', 'more'] },
    off: { url: `https://example.com/${'path/'.repeat(40)}`, disabled: true },
  });
  const plugin = `../home/.config/plugboard/plugins/${LONG_NAME}/plugin.json`;
  await box.write(plugin, JSON.stringify({ name: LONG_NAME }));
  const deny = [`${LONG_NAME}/${LONG_TOOL}`, `every/${'*'.repeat(90)}`];
  await box.write(
    '../home/.config/plugboard/settings.json',
    JSON.stringify({ permissions: { deny } }),
  );
  await box.run(['secret', 'set', 'SECRET_'.repeat(18)], { stdin: 'value' });
  const script = await box.write(`${'folder/'.repeat(20)}total.ts`, 'return 1;');
  await box.run(['snippets', 'add', 'snippet-'.repeat(7), script, '--yes']);
  // Creates tools, a log and a trace to show.
  await box.run(['tools'], { env: { PLUGBOARD_TRACE: 'bodies' } });
  return box;
}

const TABLES: readonly (readonly string[])[] = [
  [],
  ['list'],
  ['list', '--check'],
  ['tools'],
  ['tools', LONG_NAME],
  ['get', LONG_NAME],
  ['get', 'off'],
  ['doctor'],
  ['doctor', LONG_NAME],
  ['doctor', 'every'],
  ['trace', LONG_NAME],
  ['trace', 'every'],
  ['auth', 'status'],
  ['permissions'],
  ['permissions', 'every/echo'],
  ['labels'],
  ['context'],
  ['pins'],
  ['secret', 'list'],
  ['plugin', 'list'],
  ['resources'],
  ['prompts'],
  ['skills'],
  ['snippets', 'list'],
  ['sessions'],
  ['status'],
];

/** Commands whose output is never cut, so that it can be copied or approved, and commands without a table. */
const OTHERS = [
  'add',
  'add-json',
  'approvals',
  'call',
  'chat',
  'check',
  'codebase',
  'complete',
  'completion',
  'config',
  'console',
  'disable',
  'enable',
  'explain',
  'generate',
  'help',
  'import',
  'install',
  'login',
  'logout',
  'logs',
  'prompt',
  'read',
  'remove',
  'run',
  'serve',
  'stop',
  'trust',
  'uninstall',
];

/** Lines with commands and sentences, which are never cut. */
const SENTENCE =
  /^(?:See (?:more|what it can do): plugboard|Plugboard \d|Server "|error:| {2}(?:fix:|at: |\||because of ))/;

/** The first width shows every column of a table. */
const WIDTHS = isLong ? [1000, 40, 80, 200] : [1000, 40];

describe('a table on a terminal', () => {
  verifies('CLI-04');
  let box: Sandbox;
  beforeAll(async () => {
    box = await wideBox();
  });
  afterAll(() => box[Symbol.asyncDispose]());

  it.for(TABLES.map((args) => [args] as const))(
    'fits the screen, for %j at every width',
    async ([args], { expect }) => {
      const [whole, ...screens] = await Promise.all(
        WIDTHS.map(async (columns) => {
          const text = await screenOf(box, args, { columns, errors: 'nowhere' });
          return { columns, lines: text.split('\n') };
        }),
      );
      for (const { columns, lines } of screens) {
        const tooWide = lines.filter((line) => !SENTENCE.test(line) && widthOf(line) > columns);
        expect({ columns, tooWide }).toEqual({ columns, tooWide: [] });
        // A narrow screen shows fewer columns, but as many rows.
        expect(lines.length).toBeGreaterThanOrEqual(whole?.lines.length ?? 0);
      }
    },
  );

  it('is tested for every command', async ({ expect }) => {
    const { stdout } = await box.run(['__complete', 'bash', '--', 'plugboard', '']);
    const looked = TABLES.flatMap(([command = '']) => (command === '' ? [] : [command]));
    const tested = [...new Set([...looked, ...OTHERS])].toSorted();
    expect(tested, 'name each in TABLES if it prints a table, else in OTHERS').toEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((name) => name.trim())
        .toSorted(),
    );
  });

  it('shows what the user has to type, and why a server fails, in full on a narrow screen', async ({
    expect,
  }) => {
    await using narrow = await sandbox({
      every: everything(),
      [LONG_NAME]: { command: 'none-such' },
    });
    const of = (args: readonly string[]): Promise<string> =>
      realScreenOf(narrow, args, { columns: 40, after: RESULTS_ONLY });
    expect(await of(['tools', 'every', '--refresh'])).toContain('trigger-long-running-operation\n');
    const examined = (await of(['doctor'])).replaceAll(/\s/g, '');
    expect(examined).toContain(LONG_NAME);
    expect(examined).toContain('thereisnocommand"none-such"');
  });

  it('puts the explanation of an option below it on a narrow screen', async ({ expect }) => {
    await using narrow = await sandbox();
    const help = await realScreenOf(narrow, ['help', 'call'], { columns: 40 });
    expect(help).toContain(`Options:
  --json
      print one JSON document to stdout
      and nothing else
`);
    expect(help).toContain(`
  key=text
      text; a number, boolean, list or
      object if the tool accepts nothing
      else
`);
  });

  it('shows only the columns of a trace that fit a narrow screen', async ({ expect }) => {
    // A separate sandbox, in which no other command uses the server, and the server sends no requests.
    await using quiet = await sandbox({ every: { ...everything(), roots: false } });
    expect((await quiet.run(['tools'])).code).toBe(0);
    const text = await realScreenOf(quiet, ['trace', 'every', '-n', '2'], {
      columns: 40,
      after: RESULTS_ONLY,
    });
    expect(text.replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, '10:00:00.000')).toBe(`TIME              METHOD
10:00:00.000  <-  logging/setLevel
10:00:00.000  <-  tools/list
`);
  });
});

const COLOUR = /\u001B\[[\d;]*m/;
const ESCAPE = /\u001B/;

describe.concurrent('colour on a terminal', () => {
  verifies('CLI-04');

  it.for([
    [[]],
    [['list']],
    [['list', '--check']],
    [['doctor']],
    [['doctor', 'gone']],
    [['tools', '--schema']],
    [['get', 'gone']],
    [['trace', 'every']],
    [['logs', 'every']],
    [['call', 'every', 'echo', 'message=hi']],
    [['call', 'gone', 'x']],
    [['nope']],
    [['--help']],
  ])('is omitted if it is disabled: %j', async ([args = []], { expect }) => {
    await using box = await sandbox({
      every: scriptedServer({ builtIns: ['echo'] }),
      gone: { command: '/no/such/program' },
    });
    const [noColour, dumb, json, piped] = await Promise.all([
      screenOf(box, args),
      screenOf(box, args, { env: { TERM: 'dumb' } }),
      screenOf(box, [...args, '--json'], { env: {} }),
      box.run(args),
    ]);
    expect(noColour).not.toMatch(COLOUR);
    expect(dumb).not.toMatch(ESCAPE);
    expect(json).not.toMatch(ESCAPE);
    expect(piped.stdout + piped.stderr).not.toMatch(ESCAPE);
  });

  it.for([[[]], [['nope']], [['doctor', 'every']]])(
    'is used for %j',
    async ([args = []], { expect }) => {
      await using box = await sandbox({ every: scriptedServer({ builtIns: ['echo'] }) });
      // An empty NO_COLOR has no effect, as its specification says.
      expect(await realScreenOf(box, args, { env: { NO_COLOR: '' } })).toMatch(COLOUR);
    },
  );
});

describe.concurrent('progress on a terminal', () => {
  verifies('CLI-04');
  const slow = { slow: scriptedServer({ builtIns: ['echo'], startDelayMs: 1500 }) };
  const WIPE = '\r\u001B[K';

  it.for([
    [['tools', '--refresh']],
    [['list', '--check']],
    [['doctor']],
    [['doctor', 'slow']],
    [['call', 'slow', 'echo', 'message=hi']],
    [['resources']],
    [['prompts']],
    [['skills']],
  ])(
    'is shown after a second, fits the screen and is cleared: %j',
    async ([args = []], { expect }) => {
      await using box = await sandbox(slow);
      const [text, narrow, dumb, json] = await Promise.all([
        screenOf(box, args),
        screenOf(box, args, { columns: 12 }),
        screenOf(box, args, { env: { TERM: 'dumb' } }),
        screenOf(box, [...args, '--json'], { env: {} }),
      ]);
      const waiting = `${WIPE}connecting to slow…`;
      expect(text).toContain(waiting);
      expect(text.lastIndexOf(WIPE)).toBeGreaterThan(text.indexOf(waiting));
      // A screen reader would read repeated text aloud again.
      const lines = text.split(WIPE);
      expect(lines.filter((line, at) => line !== '' && line === lines[at - 1])).toEqual([]);
      expect(narrow).toContain(`${WIPE}connecting…`);
      // Text that cannot be erased has its own line.
      expect(dumb).toMatch(/^(?:connecting to slow|waiting for the server)…\n/);
      expect(dumb).not.toMatch(ESCAPE);
      expect(json).not.toContain('connecting');
    },
  );

  it('is not shown for fast commands', async ({ expect }) => {
    await using box = await sandbox({ quick: scriptedServer({ builtIns: ['echo'] }) });
    // On a busy machine, the command may sometimes take a second.
    const screen = await waitUntil(
      async () => {
        const text = await screenOf(box, ['list']);
        return !text.includes(WIPE) && text;
      },
      { describe: 'a screen without progress' },
    );
    expect(screen).toContain('quick');
  });
});
