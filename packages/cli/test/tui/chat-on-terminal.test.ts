// A chat on a real terminal, with a person at the keyboard and a chat behind it that plays what it is told.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  KEYS,
  type PseudoTerminal,
  startOnTerminal,
  tempFolder,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { screenOf, type TerminalScreen } from './terminal-screen.ts';

const PROGRAM = fileURLToPath(new URL('./fixtures/chat-program.mjs', import.meta.url));
const READY = 'claude-test ·';

interface Sitting extends AsyncDisposable {
  readonly terminal: PseudoTerminal;
  readonly screen: TerminalScreen;
  /** What the terminal asked of the chat. */
  asked(): readonly unknown[];
}

interface SittingOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What a shell does before the chat is started, and once it has ended. */
  readonly before?: string;
  readonly after?: string;
}

async function sitDown({
  columns = 80,
  rows = 24,
  env = {},
  before = ':',
  after,
}: SittingOptions = {}): Promise<Sitting> {
  const folder = await tempFolder();
  const log = join(folder.path, 'log');
  const shell =
    after === undefined ? undefined : `${before}; "${process.execPath}" "${PROGRAM}"; ${after}`;
  const terminal = await startOnTerminal({
    command: shell === undefined ? process.execPath : '/bin/sh',
    args: shell === undefined ? [PROGRAM] : ['-c', shell],
    cwd: folder.path,
    env: {
      PATH: '/usr/bin:/bin',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      NODE_ENV: 'production',
      CHAT_LOG: log,
      ...env,
    },
    rows,
    columns,
  });
  return {
    terminal,
    screen: screenOf(terminal, columns, rows),
    asked: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : [],
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function ready(options?: SittingOptions): Promise<Sitting> {
  const sitting = await sitDown(options);
  await sitting.screen.until(READY);
  return sitting;
}

function occurrences(text: string, what: string): number {
  return text.split(what).length - 1;
}

describe('a chat on a terminal', () => {
  it('streams an answer to what is typed', async () => {
    await using sitting = await ready();
    sitting.terminal.write(`stream please${KEYS.enter}`);
    const text = await sitting.screen.until(/And a second block\.[\s\S]*─\n❯ Ask/);
    expect(text).toContain('The answer is forty-two.');
    expect([occurrences(text, 'stream please'), occurrences(text, 'forty-two')]).toEqual([1, 1]);
    expect(sitting.asked()).toEqual([{ submit: 'stream please' }]);
  });

  it('shows the first screen once, and takes the keys that are typed before it can draw', async () => {
    await using sitting = await sitDown();
    await sitting.terminal.waitFor('sk for something');
    sitting.terminal.write('early');
    const text = await sitting.screen.until(
      (shown) => shown.includes(READY) && shown.includes('❯ early'),
    );
    expect([occurrences(text, 'Plugboard'), occurrences(text, '❯')]).toEqual([1, 1]);
  });

  it('asks about a call, and tells the chat what the person answered', async () => {
    verifies('AGT-03');
    await using sitting = await ready();
    sitting.terminal.write(`approve${KEYS.enter}`);
    await sitting.screen.until('Yes, once');
    sitting.terminal.write('s');
    await sitting.screen.until('It was allowed.');
    expect(sitting.asked().at(-1)).toEqual({
      approval: 'a1',
      given: { kind: 'allow', remember: 'session' },
    });
  });

  it.each([
    [80, 24],
    [50, 14],
  ])('asks at %i × %i without wiping the terminal', async (columns, rows) => {
    await using sitting = await ready({ columns, rows });
    sitting.terminal.write(`approve${KEYS.enter}`);
    await sitting.screen.until('No, and say why');
    sitting.terminal.write('y');
    const text = await sitting.screen.until(/It was allowed\.[\s\S]*─\n❯ Ask/);
    expect(text).toMatch(/Plugboard[\s\S]*❯ approve\n\n[\s\S]*\n\n {2}It was allowed\.\n\n─/);
    expect(sitting.terminal.text).not.toContain('\u001B[3J');
  });

  it('lets the arguments of a call be edited, and refuses what is no object', async () => {
    await using sitting = await ready();
    sitting.terminal.write(`approve${KEYS.enter}`);
    await sitting.screen.until('Yes, once');
    sitting.terminal.write('e');
    await sitting.screen.until('"path"');
    sitting.terminal.write(`x${KEYS.enter}`);
    await sitting.screen.until('This is not JSON');
    sitting.terminal.write(`${KEYS.ctrlU.repeat(6)}{"path": "b.txt"}${KEYS.enter}`);
    await sitting.screen.until('It was allowed.');
    expect(sitting.asked().at(-1)).toEqual({
      approval: 'a1',
      given: { kind: 'allow', remember: 'once', arguments: { path: 'b.txt' } },
    });
  });

  it('denies with a reason', async () => {
    await using sitting = await ready();
    sitting.terminal.write(`approve${KEYS.enter}`);
    await sitting.screen.until('Yes, once');
    sitting.terminal.write('d');
    await sitting.screen.until((text) => !text.includes('Yes, once'));
    sitting.terminal.write(`not this file${KEYS.enter}`);
    await sitting.screen.until('It was denied.');
    expect(sitting.asked().at(-1)).toEqual({
      approval: 'a1',
      given: { kind: 'deny', reason: 'not this file' },
    });
  });

  it('stops the turn on Escape', async () => {
    verifies('AGT-03');
    await using sitting = await ready();
    sitting.terminal.write(`forever${KEYS.enter}`);
    await sitting.screen.until('working');
    sitting.terminal.write(KEYS.escape);
    await sitting.screen.until('Stopped.');
    expect(sitting.asked().at(-1)).toBe('cancel');
  });

  it('has a form filled in for a server', async () => {
    await using sitting = await ready();
    sitting.terminal.write(`ask${KEYS.enter}`);
    await sitting.screen.until('Which ticket?');
    for (const keys of ['Broken\r', '4\r', 'y', '\r', '\r']) sitting.terminal.write(keys);
    await sitting.screen.until('answered');
    expect(sitting.asked().at(-1)).toEqual({
      question: 'q1',
      given: { kind: 'accept', content: { title: 'Broken', count: 4, urgent: true } },
    });
  });

  it('opens the panel of servers, and signs in from there', async () => {
    verifies('AGT-05');
    await using sitting = await ready();
    sitting.terminal.write('/m');
    await sitting.screen.until('a command');
    sitting.terminal.write(KEYS.tab);
    await sitting.screen.until('❯ /mcp');
    sitting.terminal.write(KEYS.enter);
    await sitting.screen.until('MCP servers');
    sitting.terminal.write(KEYS.down);
    sitting.terminal.write('l');
    await sitting.screen.until('tickets: login done');
    sitting.terminal.write(KEYS.escape);
    await sitting.screen.until((text) => !text.includes('MCP servers') && text.includes('❯ Ask'));
    expect(sitting.asked().at(-1)).toEqual({ server: 'tickets', action: 'login' });
  });

  it('sends all of a paste that it shows folded', async () => {
    await using sitting = await ready();
    const lines = Array.from({ length: 30 }, (_, index) => `row ${index}`).join('\n');
    sitting.terminal.write(`\u001B[200~${lines}\u001B[201~`);
    await sitting.screen.until('[pasted 30 lines #1]');
    sitting.terminal.write(KEYS.enter);
    await sitting.screen.until('forty-two');
    expect(sitting.asked()).toEqual([{ submit: lines }]);
  });

  it('shows a text that is longer than the screen once, in order', async () => {
    await using sitting = await ready();
    sitting.terminal.write(`long${KEYS.enter}`);
    const numbersIn = (text: string): readonly number[] =>
      [...text.matchAll(/line (\d+)/g)].map(([, number]) => Number(number));
    const text = await sitting.screen.until((shown) => numbersIn(shown).length >= 120);
    expect(numbersIn(text)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    // It never had to wipe the whole terminal, which would be seen as a flicker.
    expect(sitting.terminal.text).not.toContain('\u001B[3J');
  });

  it('shows the end of a line that has no end, with the prompt below it', async () => {
    await using sitting = await ready();
    sitting.terminal.write(`endless${KEYS.enter}`);
    await sitting.screen.until(/word1999 *\n[\s\S]*─\n❯ Ask/);
    expect(sitting.terminal.text).not.toContain('\u001B[3J');
    sitting.terminal.write(KEYS.escape);
    const whole = await sitting.screen.until('Stopped.');
    const words = [...whole.matchAll(/word(\d+)/g)].map(([, number]) => Number(number));
    expect(words).toEqual(Array.from({ length: 2000 }, (_, index) => index));
  });

  it('lets nothing through that a terminal would act on', async () => {
    await using sitting = await ready();
    sitting.terminal.write(`evil${KEYS.enter}`);
    await sitting.screen.until(/safe[\s\S]*─\n❯ Ask/);
    const { text } = sitting.terminal;
    expect([
      text.includes('\u001B[2J'),
      text.includes('owned\u0007'),
      text.includes('\u202E'),
    ]).toEqual([false, false, false]);
  });

  it('unfolds what was folded, with all of it drawn again', async () => {
    await using sitting = await ready();
    sitting.terminal.write(`approve${KEYS.enter}`);
    await sitting.screen.until('Yes, once');
    sitting.terminal.write('y');
    await sitting.screen.until('It was allowed.');
    sitting.terminal.write('\u000F');
    const text = await sitting.screen.until('written');
    expect([occurrences(text, 'Plugboard'), occurrences(text, 'It was allowed.')]).toEqual([1, 1]);
  });
});

describe('the terminal after a chat', () => {
  const STATE = 'echo "<after>"; stty -a | tr ";" "\\n" | grep -o "[-]*icanon\\|[-]*echo\\b"';

  async function isRestored(sitting: Sitting): Promise<boolean> {
    await sitting.terminal.exited;
    const { text } = sitting.terminal;
    const after = text.slice(text.lastIndexOf('<after>'));
    const isGivenBack = ['\u001B[?25h', '\u001B[?2004l', '\u001B[<u'].every((one) =>
      text.includes(one),
    );
    return isGivenBack && /^icanon$/m.test(after) && /^echo$/m.test(after);
  }

  it.each([
    ['Ctrl-D', '\u0004'],
    ['/quit', '/quit\r\r'],
    ['Ctrl-C twice', '\u0003\u0003'],
  ])('is as it was once the person quits by %s', async (_, keys) => {
    await using sitting = await ready({ after: STATE });
    sitting.terminal.write(keys);
    expect(await isRestored(sitting)).toBe(true);
    expect(sitting.terminal.text).toContain('<quit>');
  });

  it('is as it was when the program breaks', async () => {
    await using sitting = await ready({ after: STATE });
    sitting.terminal.write(`crash${KEYS.enter}`);
    expect(await isRestored(sitting)).toBe(true);
    expect(sitting.terminal.text).toContain('the program broke');
  });
});

describe('a chat that the system ends', () => {
  it.each(['SIGTERM', 'SIGHUP'] as const)('gives the terminal back on %s', async (signal) => {
    await using sitting = await ready();
    process.kill(sitting.terminal.pid, signal);
    await sitting.terminal.exited;
    const { text } = sitting.terminal;
    const ends = ['\u001B[?25h', '\u001B[?2004l', '\u001B[<u', '<quit>'];
    expect(ends.filter((one) => !text.includes(one))).toEqual([]);
  });

  it('gives it back on Ctrl-Z, and draws anew once it is continued', async () => {
    await using sitting = await ready({ before: 'set -m', after: 'echo "<stopped>"; fg' });
    sitting.terminal.write(`stream${KEYS.enter}`);
    await sitting.screen.until(/second block[\s\S]*─\n❯ Ask/);
    const from = sitting.terminal.text.length;
    sitting.terminal.write('\u001A');
    await sitting.terminal.waitFor(/\u001B\[\?2004l[\s\S]*<stopped>[\s\S]*\u001B\[\?2004h/, {
      from,
    });
    const text = await sitting.screen.until(
      (shown) => !shown.includes('<stopped>') && /second block[\s\S]*─\n❯ Ask/.test(shown),
    );
    expect([occurrences(text, 'Plugboard'), occurrences(text, 'forty-two')]).toEqual([1, 1]);
  });
});

describe('terminals of every kind', () => {
  it.each([40, 20, 120])('are drawn on with %i columns', async (columns) => {
    await using sitting = await sitDown({ columns });
    await sitting.screen.until(/─\n❯ Ask/);
    sitting.terminal.write(`approve${KEYS.enter}`);
    await sitting.screen.until('Yes, once');
    sitting.terminal.write('y');
    await sitting.screen.until('allowed');
    const text = await sitting.screen.until(/─\n❯ Ask/);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it('are drawn on without colour if the person wants none', async () => {
    await using sitting = await ready({ env: { NO_COLOR: '1' } });
    sitting.terminal.write(`stream${KEYS.enter}`);
    await sitting.screen.until(/second block[\s\S]*─\n❯ Ask/);
    // Only bold and reversed text, and such.
    expect(sitting.terminal.text).not.toMatch(/\u001B\[(?:\d+;)*(?:3[0-8]|9[0-7]|4[0-8])[;m]/);
  });

  it('are refused where nothing can be drawn', async () => {
    await using sitting = await sitDown({ env: { TERM: 'dumb' } });
    await sitting.terminal.waitFor('plugboard run');
    expect((await sitting.terminal.exited).code).toBe(1);
  });

  it('are followed when they change their size', async () => {
    await using sitting = await ready();
    sitting.terminal.resize(24, 50);
    await sitting.terminal.waitFor('─'.repeat(49));
    sitting.terminal.write(`stream${KEYS.enter}`);
    await sitting.terminal.waitFor('second block');
    const drawn = sitting.terminal.text.slice(sitting.terminal.text.lastIndexOf('second block'));
    expect(drawn).not.toContain('─'.repeat(50));
  });
});
