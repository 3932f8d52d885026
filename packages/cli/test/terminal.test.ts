// The command on a real terminal.

import { scriptedServer } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { realScreenOf as screenOf } from './on-terminal.ts';
import { sandbox } from './sandbox.ts';
import { SIGNS } from './signs.ts';

/** Removes the progress line, which depends on the speed of the machine. */
function settled(text: string): string {
  return text.replaceAll(/\r\u001B\[K(?:[^\r\n\u001B]*\r\u001B\[K)*/g, '');
}

const HOSTILE = '\u001B[2J\u001B]0;title\u0007be\u202Ehave\u009B31m';

describe.concurrent('the command on a terminal', () => {
  it('prints no terminal sequences of a server', async ({ expect }) => {
    await using box = await sandbox({
      evil: scriptedServer({
        builtIns: [],
        tools: [
          {
            name: 'show',
            description: HOSTILE,
            inputSchema: { type: 'object', description: HOSTILE },
            result: { content: [{ type: 'text', text: `${HOSTILE}\nmore` }] },
          },
          {
            name: 'fail',
            inputSchema: { type: 'object' },
            result: { isError: true, content: [{ type: 'text', text: HOSTILE }] },
          },
        ],
      }),
    });
    // Otherwise nothing would be shown.
    await box.write('../home/.config/plugboard/settings.json', '{ "pins": "off" }');
    // Runs first, since the other commands also store the list.
    const tools = await screenOf(box, ['tools']);
    const [schema, shown, failed, piped, json] = await Promise.all([
      screenOf(box, ['tools', '--schema']),
      screenOf(box, ['call', 'evil', 'show']),
      screenOf(box, ['call', 'evil', 'fail']),
      box.run(['call', 'evil', 'show']),
      screenOf(box, ['call', 'evil', 'show', '--json']),
    ]);
    expect(settled(tools)).toBe(
      'SERVER  TOOL  DESCRIPTION\nevil    fail  The tool "fail" of the server "evil", which gives no description …\nevil    show  behave31m\n',
    );
    expect(settled(schema)).not.toMatch(/[\u001B\u0007\u009B\u202E]/);
    expect(settled(shown)).toBe(`behave31m\nmore\n${SIGNS}`);
    expect(settled(failed)).toBe(`error: tool "fail" of server "evil" failed
  | behave31m
  | ${SIGNS}  fix: read what the tool says above; what its server logged: plugboard logs evil
`);
    // A program gets the server's text unchanged.
    expect(piped.stdout).toBe(`${HOSTILE}\nmore\n`);
    expect(json).not.toMatch(/[\u001B\u0007\u009B\u202E]/);
    expect(JSON.parse(json)).toMatchObject({
      parts: [{ kind: 'note' }, { kind: 'text', text: `${HOSTILE}\nmore` }],
    });
  });

  it('uses colour, but not in a pipe and not with NO_COLOR', async ({ expect }) => {
    await using box = await sandbox();
    const [coloured, noColour, dumb, piped] = await Promise.all([
      screenOf(box, ['nope'], { env: {} }),
      screenOf(box, ['nope'], { env: { NO_COLOR: '1' } }),
      screenOf(box, ['nope'], { env: { TERM: 'dumb' } }),
      screenOf(box, [], { env: {}, after: '| cat' }),
    ]);
    const plain = 'error: there is no command "nope"\n  fix: see the list: plugboard --help\n';
    expect(coloured).toBe(
      plain
        .replace('error:', '\u001B[31merror:\u001B[0m')
        .replace('fix:', '\u001B[1mfix:\u001B[0m'),
    );
    expect(noColour).toBe(plain);
    expect(dumb).toBe(plain);
    expect(piped).not.toContain('\u001B');
  });

  it.for([
    [
      40,
      `NAME    STATE  RUNS
server  idle   npx -y a-package-with-a-…
`,
    ],
    [
      80,
      `NAME    STATE  TYPE   SCOPE    RUNS
server  idle   stdio  project  npx -y a-package-with-a-rather-long-name --and -…
`,
    ],
    [
      120,
      `NAME    STATE  TYPE   SCOPE    CONFIGURED AT  RUNS
server  idle   stdio  project  .mcp.json:3:5  npx -y a-package-with-a-rather-long-name --and --options
`,
    ],
  ] as const)('fits tables into %d columns', async ([columns, text], { expect }) => {
    await using box = await sandbox({
      server: {
        command: 'npx',
        args: ['-y', 'a-package-with-a-rather-long-name', '--and', '--options'],
      },
    });
    expect(await screenOf(box, ['list'], { columns })).toBe(text);
  });

  it('shows progress after a second, and clears it', async ({ expect }) => {
    await using box = await sandbox({ server: scriptedServer({ eras: ['legacy'] }) });
    const [silent, talking, forPrograms] = await Promise.all([
      screenOf(box, ['call', 'server', 'sleep', 'ms=1500']),
      screenOf(box, ['call', 'server', 'sleep', 'ms=1500', 'steps=3']),
      screenOf(box, ['call', 'server', 'sleep', 'ms=1500', 'steps=3', '--json']),
    ]);
    const wipe = '\r\u001B[K';
    expect(silent).toContain(`${wipe}slept 1500 ms\n`);
    expect(talking).toContain(`${wipe}2 of 3`);
    expect(talking).toMatch(new RegExp(`${wipe.replace('[', '\\[')}slept 1500 ms\n$`));
    expect(forPrograms).not.toContain('\u001B');
  });
});
