// The user interface of the chat, in front of a chat that plays scripted events.

import { fileURLToPath } from 'node:url';
import type { Message } from '@plugboard/agent';
import { systemClock } from '@plugboard/base';
import { KEYS, tempFolder, TerminalScreen, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { chatTerminal } from '../../src/terminal.ts';
import { openChat } from '../../src/tui/index.ts';
import { drawnInMemory, startCodeInMemory } from '../terminal-in-memory.ts';
import { scriptedChat } from './fixtures/scripted-chat.mjs';

/** Makes questions accept keys at once, so that no test has to wait for that. */
const HASTY = { ...systemClock, elapsed: () => systemClock.elapsed() * 1000 };

const PROGRAM = fileURLToPath(new URL('./fixtures/chat-program.mjs', import.meta.url));
const READY = 'claude-test ·';
const EVERYTHING = { within: 'everything' } as const;

/** Longer than a screen, with characters of every width. */
const EARLIER = Array.from({ length: 6 }, (_, index): Message[] => [
  {
    kind: 'user',
    parts: [{ kind: 'text', text: `Question ${index}: ${'what is it '.repeat(9)}` }],
  },
  {
    kind: 'assistant',
    parts: [
      {
        kind: 'text',
        text: `It is **this**:\n\n- ${'one two three '.repeat(12)}\n\n| a | b |\n|--|--|\n| 1 | 2 |`,
      },
      {
        kind: 'call',
        id: `call-${index}`,
        tool: 'mcp__workspace__edit_file',
        arguments: { path: 'a.ts', old_text: 'const a = 1;', new_text: 'const a = 2; // more' },
      },
    ],
  },
  {
    kind: 'tool',
    answers: [
      {
        ...{ id: `call-${index}`, tool: 'mcp__workspace__edit_file', isError: false },
        parts: [{ kind: 'text', text: 'Edited a.ts' }],
      },
    ],
  },
]).flat();

interface ChatOnTerminal extends AsyncDisposable {
  readonly screen: TerminalScreen;
  /** Resolves with all lines, including scrolled ones, once they match. */
  until(what: string | RegExp | ((text: string) => boolean)): Promise<string>;
  /** The calls of the chat's methods. */
  readonly asked: readonly unknown[];
}

interface SittingOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly earlier?: readonly Message[];
}

const ENV = { PATH: '/usr/bin:/bin', TERM: 'xterm-256color', LANG: 'C.UTF-8' };

/** In the process of the test, on a simulated terminal. */
async function sitDown(options: SittingOptions = {}): Promise<ChatOnTerminal> {
  const { columns = 80, rows = 24, env = {}, earlier = [] } = options;
  const asked: unknown[] = [];
  const chat = scriptedChat({ log: (what) => void asked.push(what), earlier });
  const folder = await tempFolder();
  const start = { cwd: folder.path, env: { ...ENV, ...env }, columns, rows };
  const screen = await drawnInMemory({ columns, rows }, (onBytes) =>
    startCodeInMemory((terminal) => openChat(chat, chatTerminal(terminal, HASTY)).then(() => 0), {
      ...start,
      onBytes,
    }),
  );
  return chatOnTerminal(screen, folder, asked);
}

/** As a process on a real terminal, with shell commands before and after it. */
async function startProgram(shell?: {
  readonly before?: string;
  readonly after: string;
}): Promise<ChatOnTerminal> {
  const folder = await tempFolder();
  const line = `${shell?.before ?? ':'}; "${process.execPath}" "${PROGRAM}"; ${shell?.after ?? ''}`;
  const screen = await TerminalScreen.start({
    command: shell === undefined ? process.execPath : '/bin/sh',
    args: shell === undefined ? [PROGRAM] : ['-c', line],
    cwd: folder.path,
    env: { ...ENV, NODE_ENV: 'production' },
  });
  const chat = chatOnTerminal(screen, folder, []);
  await chat.until(READY);
  return chat;
}

function chatOnTerminal(
  screen: TerminalScreen,
  folder: AsyncDisposable,
  asked: readonly unknown[],
): ChatOnTerminal {
  return {
    screen,
    asked,
    until: (what) =>
      typeof what === 'function' ? screen.until(what, EVERYTHING) : screen.shows(what, EVERYTHING),
    async [Symbol.asyncDispose]() {
      await screen[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function ready(options?: SittingOptions): Promise<ChatOnTerminal> {
  const sitting = await sitDown(options);
  await sitting.until(READY);
  return sitting;
}

function occurrences(text: string, what: string): number {
  return text.split(what).length - 1;
}

describe('a chat on a terminal', () => {
  it('streams an answer to the typed message', async () => {
    await using sitting = await ready();
    sitting.screen.type(`stream please${KEYS.enter}`);
    const text = await sitting.until(/And a second block\.[\s\S]*─\n❯ Ask/);
    expect(text).toContain('The answer is forty-two.');
    expect([occurrences(text, 'stream please'), occurrences(text, 'forty-two')]).toEqual([1, 1]);
    expect(sitting.asked).toEqual([{ submit: 'stream please' }]);
  });

  it('shows the first screen once, and accepts keys that are typed before it can draw', async () => {
    await using sitting = await sitDown();
    await sitting.screen.writes('sk for something');
    sitting.screen.type('early');
    const text = await sitting.until((shown) => shown.includes(READY) && shown.includes('❯ early'));
    expect([occurrences(text, 'Plugboard'), occurrences(text, '❯')]).toEqual([1, 1]);
  });

  it('asks for approval of a call, and passes on the answer', async () => {
    verifies('AGT-03');
    await using sitting = await ready();
    sitting.screen.type(`approve${KEYS.enter}`);
    await sitting.until('Yes, once');
    sitting.screen.type('s');
    await sitting.until('It was allowed.');
    expect(sitting.asked.at(-1)).toEqual({
      approval: 'a1',
      given: { kind: 'allow', remember: 'session' },
    });
  });

  it.each([
    [80, 24],
    [50, 14],
  ])('prompts at %i × %i without clearing the terminal', async (columns, rows) => {
    await using sitting = await ready({ columns, rows });
    sitting.screen.type(`approve${KEYS.enter}`);
    await sitting.until('No, and say why');
    sitting.screen.type('y');
    const text = await sitting.until(/It was allowed\.[\s\S]*─\n❯ Ask/);
    expect(text).toMatch(/Plugboard[\s\S]*❯ approve\n\n[\s\S]*\n\n {2}It was allowed\.\n\n─/);
    expect(sitting.screen.written).not.toContain('\u001B[3J');
  });

  it('lets the arguments of a call be edited, and refuses anything but an object', async () => {
    await using sitting = await ready();
    sitting.screen.type(`approve${KEYS.enter}`);
    await sitting.until('Yes, once');
    sitting.screen.type('e');
    await sitting.until('"path"');
    sitting.screen.type(`x${KEYS.enter}`);
    await sitting.until('This is not JSON');
    sitting.screen.type(`${KEYS.ctrlU.repeat(6)}{"path": "b.txt"}${KEYS.enter}`);
    await sitting.until('It was allowed.');
    expect(sitting.asked.at(-1)).toEqual({
      approval: 'a1',
      given: { kind: 'allow', remember: 'once', arguments: { path: 'b.txt' } },
    });
  });

  it('denies with a reason', async () => {
    await using sitting = await ready();
    sitting.screen.type(`approve${KEYS.enter}`);
    await sitting.until('Yes, once');
    sitting.screen.type('d');
    await sitting.until((text) => !text.includes('Yes, once'));
    sitting.screen.type(`not this file${KEYS.enter}`);
    await sitting.until('It was denied.');
    expect(sitting.asked.at(-1)).toEqual({
      approval: 'a1',
      given: { kind: 'deny', reason: 'not this file' },
    });
  });

  it('stops the turn on Escape', async () => {
    verifies('AGT-03');
    await using sitting = await ready();
    sitting.screen.type(`forever${KEYS.enter}`);
    await sitting.until('working');
    sitting.screen.type(KEYS.escape);
    await sitting.until('Stopped.');
    expect(sitting.asked.at(-1)).toBe('cancel');
  });

  it('shows a form of a server, and sends the filled-in values', async () => {
    await using sitting = await ready();
    sitting.screen.type(`ask${KEYS.enter}`);
    await sitting.until('Which ticket?');
    for (const keys of ['Broken\r', '4\r', 'y', '\r', '\r']) sitting.screen.type(keys);
    await sitting.until('answered');
    expect(sitting.asked.at(-1)).toEqual({
      question: 'q1',
      given: { kind: 'accept', content: { title: 'Broken', count: 4, urgent: true } },
    });
  });

  it('opens the server panel, and signs in from there', async () => {
    verifies('AGT-05');
    await using sitting = await ready();
    sitting.screen.type('/m');
    await sitting.until('a command');
    sitting.screen.type(KEYS.tab);
    await sitting.until('❯ /mcp');
    sitting.screen.type(KEYS.enter);
    await sitting.until('MCP servers');
    sitting.screen.type(KEYS.down);
    sitting.screen.type('l');
    await sitting.until('tickets: login done');
    sitting.screen.type(KEYS.escape);
    await sitting.until((text) => !text.includes('MCP servers') && text.includes('❯ Ask'));
    expect(sitting.asked.at(-1)).toEqual({ server: 'tickets', action: 'login' });
  });

  it('sends all of a paste that it shows folded', async () => {
    await using sitting = await ready();
    const lines = Array.from({ length: 30 }, (_, index) => `row ${index}`).join('\n');
    sitting.screen.type(`\u001B[200~${lines}\u001B[201~`);
    await sitting.until('[pasted 30 lines #1]');
    sitting.screen.type(KEYS.enter);
    await sitting.until('forty-two');
    expect(sitting.asked).toEqual([{ submit: lines }]);
  });

  it('shows a text that is longer than the screen once, in order', async () => {
    await using sitting = await ready();
    sitting.screen.type(`long${KEYS.enter}`);
    const numbersIn = (text: string): readonly number[] =>
      [...text.matchAll(/line (\d+)/g)].map(([, number]) => Number(number));
    const text = await sitting.until((shown) => numbersIn(shown).length >= 120);
    expect(numbersIn(text)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    // The terminal was never cleared, which would flicker.
    expect(sitting.screen.written).not.toContain('\u001B[3J');
  });

  it('shows the end of a very long line, with the prompt below it', async () => {
    await using sitting = await ready();
    sitting.screen.type(`endless${KEYS.enter}`);
    await sitting.until(/word1999 *\n[\s\S]*─\n❯ Ask/);
    expect(sitting.screen.written).not.toContain('\u001B[3J');
    sitting.screen.type(KEYS.escape);
    const whole = await sitting.until('Stopped.');
    const words = [...whole.matchAll(/word(\d+)/g)].map(([, number]) => Number(number));
    expect(words).toEqual(Array.from({ length: 2000 }, (_, index) => index));
  });

  it('prints no foreign terminal sequences', async () => {
    await using sitting = await ready();
    sitting.screen.type(`evil${KEYS.enter}`);
    await sitting.until(/safe[\s\S]*─\n❯ Ask/);
    const { written: text } = sitting.screen;
    expect([
      text.includes('\u001B[2J'),
      text.includes('owned\u0007'),
      text.includes('\u202E'),
    ]).toEqual([false, false, false]);
  });

  it('unfolds a folded part, and redraws everything', async () => {
    await using sitting = await ready();
    sitting.screen.type(`approve${KEYS.enter}`);
    await sitting.until('Yes, once');
    sitting.screen.type('y');
    await sitting.until('It was allowed.');
    sitting.screen.type('\u000F');
    const text = await sitting.until('written');
    expect([occurrences(text, 'Plugboard'), occurrences(text, 'It was allowed.')]).toEqual([1, 1]);
  });
});

describe('the terminal after a chat', () => {
  const STATE = 'echo "<after>"; stty -a | tr ";" "\\n" | grep -o "[-]*icanon\\|[-]*echo\\b"';

  async function isRestored(sitting: ChatOnTerminal): Promise<boolean> {
    await sitting.screen.ended;
    const { written: text } = sitting.screen;
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
  ])('is restored after the person quits by %s', async (_, keys) => {
    await using sitting = await startProgram({ after: STATE });
    sitting.screen.type(keys);
    expect(await isRestored(sitting)).toBe(true);
    expect(sitting.screen.written).toContain('<quit>');
  });

  it('is restored when the program crashes', async () => {
    await using sitting = await startProgram({ after: STATE });
    sitting.screen.type(`crash${KEYS.enter}`);
    expect(await isRestored(sitting)).toBe(true);
    expect(sitting.screen.written).toContain('the program broke');
  });
});

describe('a chat that the system ends', () => {
  it.each(['SIGTERM', 'SIGHUP'] as const)('restores the terminal on %s', async (signal) => {
    await using sitting = await startProgram();
    process.kill(sitting.screen.pid, signal);
    await sitting.screen.ended;
    const { written: text } = sitting.screen;
    const ends = ['\u001B[?25h', '\u001B[?2004l', '\u001B[<u', '<quit>'];
    expect(ends.filter((one) => !text.includes(one))).toEqual([]);
  });

  it('restores the terminal on Ctrl-Z, and redraws when it is continued', async () => {
    await using sitting = await startProgram({ before: 'set -m', after: 'echo "<stopped>"; fg' });
    sitting.screen.type(`stream${KEYS.enter}`);
    await sitting.until(/second block[\s\S]*─\n❯ Ask/);
    const from = sitting.screen.written.length;
    sitting.screen.type('\u001A');
    await sitting.screen.writes(/\u001B\[\?2004l[\s\S]*<stopped>[\s\S]*\u001B\[\?2004h/, {
      from,
    });
    const text = await sitting.until(
      (shown) => !shown.includes('<stopped>') && /second block[\s\S]*─\n❯ Ask/.test(shown),
    );
    expect([occurrences(text, 'Plugboard'), occurrences(text, 'forty-two')]).toEqual([1, 1]);
  });
});

describe('a chat on terminals of every kind', () => {
  async function freshScreen(size: { readonly columns: number; readonly rows: number }) {
    await using fresh = await ready({ ...size, earlier: EARLIER });
    const { screen } = fresh;
    return { text: screen.text(), cells: screen.cells(), everything: screen.everything() };
  }

  it.each([40, 20, 120])('draws with %i columns', async (columns) => {
    await using sitting = await sitDown({ columns });
    await sitting.until(/─\n❯ Ask/);
    sitting.screen.type(`approve${KEYS.enter}`);
    await sitting.until('Yes, once');
    sitting.screen.type('y');
    await sitting.until('allowed');
    const text = await sitting.until(/─\n❯ Ask/);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it('draws without colour if NO_COLOR is set', async () => {
    await using sitting = await ready({ env: { NO_COLOR: '1' } });
    sitting.screen.type(`stream${KEYS.enter}`);
    await sitting.until(/second block[\s\S]*─\n❯ Ask/);
    // Only attributes such as bold and reverse.
    expect(sitting.screen.written).not.toMatch(/\u001B\[(?:\d+;)*(?:3[0-8]|9[0-7]|4[0-8])[;m]/);
  });

  it('shows exactly the cells of a fresh start after 100 changes of the size', async () => {
    verifies('AGT-16');
    const last = { columns: 100, rows: 30 };
    const fresh = await freshScreen(last);
    await using sitting = await ready({ columns: 100, rows: 24, earlier: EARLIER });
    const sizes = Array.from({ length: 100 }, (_, index) =>
      index === 99 ? last : { columns: [60, 40, 120, 83][index % 4] ?? 60, rows: 20 + (index % 9) },
    );
    for (const [index, { columns, rows }] of sizes.entries()) {
      sitting.screen.resize(columns, rows);
      // Some follow each other faster than they are drawn, as when a window is dragged.
      if (index % 5 === 0) await sitting.screen.shows(new RegExp(`^─{${columns - 1}}$`, 'mu'));
    }
    const cells = JSON.stringify(fresh.cells);
    await sitting.screen
      .until(() => JSON.stringify(sitting.screen.cells()) === cells)
      // A comparison describes the difference better than a timeout.
      .catch(() => {});
    expect(sitting.screen.text()).toBe(fresh.text);
    expect(sitting.screen.cells()).toEqual(fresh.cells);
    expect(sitting.screen.everything()).toBe(fresh.everything);
  });

  it('follows changes of the size', async () => {
    await using sitting = await ready();
    sitting.screen.resize(50, 24);
    await sitting.screen.writes('─'.repeat(49));
    sitting.screen.type(`stream${KEYS.enter}`);
    await sitting.screen.writes('second block');
    const drawn = sitting.screen.written.slice(sitting.screen.written.lastIndexOf('second block'));
    expect(drawn).not.toContain('─'.repeat(50));
  });
});
