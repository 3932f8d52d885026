// Answers of people on a real terminal, and of programs through a pipe.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { KEYS, type PseudoTerminal, startOnTerminal } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { withoutCursor } from './on-terminal.ts';
import { finished } from './sandbox.ts';

const ASK = fileURLToPath(new URL('./fixtures/ask.mjs', import.meta.url));

/** Asks on a terminal, and then prints the state of the terminal. */
function asking(...questions: readonly string[]): Promise<PseudoTerminal> {
  const words = questions.map((question) => `'${question}'`).join(' ');
  return startOnTerminal({
    command: '/bin/sh',
    args: ['-c', `trap '' INT TERM; "${process.execPath}" "${ASK}" ${words}; stty -a`],
    cwd: tmpdir(),
    env: { PATH: '/usr/bin:/bin' },
  });
}

/** The output before `stty`, and whether the terminal was restored. */
async function shown(terminal: PseudoTerminal): Promise<{ text: string; isRestored: boolean }> {
  await terminal.exited;
  const [text = '', state = ''] = terminal.text.split(/^(?=speed )/m);
  const isRestored = ['icanon', 'echo', 'isig', 'icrnl', 'opost'].every((flag) =>
    new RegExp(`(?<!-)\\b${flag}\\b`).test(state),
  );
  return { text, isRestored };
}

const got = (...answers: readonly unknown[]): string =>
  `${JSON.stringify({ isTty: true, answers })}\n`;

describe.concurrent('a hidden answer', () => {
  it('does not appear while it is typed', async ({ expect }) => {
    await using terminal = await asking('hidden:Value: ');
    await terminal.waitFor('Value: ');
    for (const key of 'sesame') terminal.write(key);
    terminal.write(KEYS.enter);
    expect(await shown(terminal)).toEqual({
      text: `Value: \n${got('sesame')}`,
      isRestored: true,
    });
  });

  it('can be corrected, and contain any character', async ({ expect }) => {
    await using terminal = await asking('hidden:Value: ');
    await terminal.waitFor('Value: ');
    terminal.write(`wrong${KEYS.ctrlU}ü🔑 xy${KEYS.backspace}${KEYS.enter}`);
    expect(await shown(terminal)).toEqual({
      text: `Value: \n${got('ü🔑 x')}`,
      isRestored: true,
    });
  });

  it.for([
    ['Ctrl-C', `half${KEYS.ctrlC}`],
    ['Ctrl-D', KEYS.ctrlD],
  ] as const)('is undefined after %s', async ([, keys], { expect }) => {
    await using terminal = await asking('hidden:Value: ');
    await terminal.waitFor('Value: ');
    terminal.write(keys);
    expect(await shown(terminal)).toEqual({ text: `Value: \n${got(null)}`, isRestored: true });
  });

  it('is undefined when the program is terminated', async ({ expect }) => {
    await using terminal = await startOnTerminal({
      command: process.execPath,
      args: [ASK, 'hidden:Value: '],
      cwd: tmpdir(),
      env: {},
    });
    await terminal.waitFor('Value: ');
    terminal.write('half');
    process.kill(terminal.pid, 'SIGTERM');
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
    // The terminal itself echoes text that arrives after the program has ended.
    expect(terminal.text.replace(/half\s*$/, '')).toBe(`Value: \n${got(null)}`);
  });

  it('contains all lines that are pasted at once', async ({ expect }) => {
    await using terminal = await asking('hidden:Value: ');
    await terminal.waitFor('Value: ');
    terminal.write('one\rtwo\rthree');
    expect(await shown(terminal)).toMatchObject({ text: `Value: \n${got('one\ntwo\nthree')}` });
  });

  it('can be empty', async ({ expect }) => {
    await using terminal = await asking('hidden:Value: ');
    await terminal.waitFor('Value: ');
    terminal.write(KEYS.enter);
    expect(await shown(terminal)).toMatchObject({ text: `Value: \n${got('')}` });
  });

  it('restores the terminal when the program crashes meanwhile', async ({ expect }) => {
    const script = `import(${JSON.stringify(new URL('../dist/terminal.js', import.meta.url).href)})
      .then(({ processTerminal }) => {
        void processTerminal().input.ask("Value: ", { hidden: true });
        process.stdin.once("data", () => { throw new Error("a bug"); });
      });`;
    await using terminal = await startOnTerminal({
      command: '/bin/sh',
      args: ['-c', `"${process.execPath}" -e '${script}'; stty -a`],
      cwd: tmpdir(),
      env: { PATH: '/usr/bin:/bin' },
    });
    await terminal.waitFor('Value: ');
    terminal.write('x');
    const { text, isRestored } = await shown(terminal);
    expect(text).toContain('Error: a bug');
    expect(isRestored).toBe(true);
  });
});

describe.concurrent('a visible answer', () => {
  it('appears while it is typed', async ({ expect }) => {
    await using terminal = await asking('Name? ', 'Sure? ');
    await terminal.waitFor('Name? ');
    terminal.write(`Ada${KEYS.enter}`);
    await terminal.waitFor('Sure? ');
    terminal.write(`y${KEYS.enter}`);
    const { text, isRestored } = await shown(terminal);
    expect(withoutCursor(text)).toBe(`Name? Ada\nSure? y\n${got('Ada', 'y')}`);
    expect(isRestored).toBe(true);
  });

  it('may be typed before its question', async ({ expect }) => {
    await using terminal = await asking('A? ', 'B? ', 'hidden:C? ');
    await terminal.waitFor('A? ');
    terminal.write('1\r2\r3\r');
    await terminal.waitFor('C? ');
    // Text that was visible on the screen must not answer a hidden question.
    terminal.write('4\r');
    expect((await shown(terminal)).text).toContain(got('1', '2', '4'));
  });

  it('is undefined after Ctrl-C', async ({ expect }) => {
    await using terminal = await asking('Name? ');
    await terminal.waitFor('Name? ');
    terminal.write(`A${KEYS.ctrlC}`);
    expect(await shown(terminal)).toMatchObject({
      text: expect.stringMatching(/\n\{"isTty":true,"answers":\[null\]\}\n$/) as string,
      isRestored: true,
    });
  });
});

describe.concurrent('piped input', () => {
  const start = (...questions: readonly string[]) =>
    spawn(process.execPath, [ASK, ...questions], { env: {} });

  const piped = (...answers: readonly unknown[]): string =>
    `${JSON.stringify({ isTty: false, answers })}\n`;

  it('answers line by line, and the rest can be read at once', async ({ expect }) => {
    const child = start('A? ', 'hidden:B? ', 'all', 'C? ');
    child.stdin.write('one\r\ntwo\nthree\nfour\n');
    expect(await finished(child)).toEqual({
      code: 0,
      stdout: piped('one', 'two', 'three\nfour\n', null),
      stderr: 'A? \nB? \nC? \n',
    });
  });

  it('may end without a line break', async ({ expect }) => {
    const child = start('A? ', 'B? ');
    child.stdin.write('one');
    expect(await finished(child)).toMatchObject({ stdout: piped('one', null) });
  });

  it('is bounded', async ({ expect }) => {
    const child = start('all');
    // The reader stops before the end of the input.
    child.stdin.on('error', () => {});
    child.stdin.write('x'.repeat(1024 * 1024 + 1));
    expect(await finished(child)).toMatchObject({ stdout: piped({ code: 'input-too-long' }) });
    const line = start('A? ');
    line.stdin.on('error', () => {});
    line.stdin.write('x'.repeat(1024 * 1024 + 1));
    expect(await finished(line)).toMatchObject({ stdout: piped({ code: 'input-too-long' }) });
  });

  it('must be text', async ({ expect }) => {
    const child = start('all');
    child.stdin.write(Buffer.from([0x61, 0xff]));
    expect(await finished(child)).toMatchObject({ stdout: piped({ code: 'input-not-text' }) });
  });

  it('does not keep the program running after the last answer', async ({ expect }) => {
    const child = start('A? ');
    const stdout = textOf(child.stdout);
    child.stdin.write('one\n');
    // Its stdin stays open.
    expect(await stdout).toBe(piped('one'));
    child.stdin.destroy();
  });

  it('is not waited for when the program is terminated', async ({ expect }) => {
    const child = start('A? ', 'all', 'B? ');
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    child.stdin.write('one\n');
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    expect(await stdout).toMatch(/,\{"code":"input-interrupted"\},null\]\}\n$/);
    expect(await stderr).toBe('A? \nB? \n');
    child.stdin.destroy();
  });
});

describe.concurrent('an aborted question', () => {
  it('has no answer, restores the terminal, and does not affect a later question', async ({
    expect,
  }) => {
    await using terminal = await asking('withdrawn:First: ', 'Second: ');
    await terminal.waitFor('Second: ');
    terminal.write(`sesame${KEYS.enter}`);
    const { text, isRestored } = await shown(terminal);
    expect([withoutCursor(text), isRestored]).toEqual([
      `First: \nSecond: sesame\n${got(null, 'sesame')}`,
      true,
    ]);
  });

  it('leaves piped input to the next question', async ({ expect }) => {
    const child = spawn(process.execPath, [ASK, 'withdrawn:First: ', 'Second: ']);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.endsWith('Second: ')) child.stdin.end('sesame\n');
    });
    const stdout = textOf(child.stdout);
    await once(child, 'exit');
    expect(JSON.parse(await stdout)).toEqual({ isTty: false, answers: [null, 'sesame'] });
  });
});
