import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../src/processes.ts';
import { KEYS, type PseudoTerminal, startOnTerminal } from '../src/pseudo-terminal.ts';
import { waitUntil } from '../src/wait-until.ts';

function shell(
  script: string,
  screen: { rows?: number; columns?: number } = {},
): Promise<PseudoTerminal> {
  return startOnTerminal({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: tmpdir(),
    env: { PATH: '/usr/bin:/bin' },
    ...screen,
  });
}

function node(script: string): Promise<PseudoTerminal> {
  return startOnTerminal({
    command: process.execPath,
    args: ['-e', script],
    cwd: tmpdir(),
    env: {},
  });
}

describe('a program on a pseudo-terminal', () => {
  it('sees a terminal of the given size, and only the given environment', async () => {
    await using terminal = await shell('test -t 0 && test -t 2 && stty size && env', {
      rows: 11,
      columns: 37,
    });
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
    const [size, ...env] = terminal.text.trimEnd().split('\n');
    expect(size).toBe('11 37');
    expect(env.filter((line) => !/^(?:_|OLDPWD|SHLVL)=/.test(line)).toSorted()).toEqual([
      'PATH=/usr/bin:/bin',
      `PWD=${tmpdir()}`,
      'TERM=xterm',
    ]);
  });

  it('is notified when the size changes', async () => {
    await using terminal = await node(
      `process.stdout.on('resize', () => {
        console.log(process.stdout.rows + ' x ' + process.stdout.columns);
        process.exit();
      });
      setInterval(() => {}, 1000);
      console.log('ready');`,
    );
    await terminal.waitFor('ready');
    terminal.resize(30, 100);
    await terminal.exited;
    expect(terminal.text).toBe('ready\n30 x 100\n');
  });

  it('receives typed text, and echoes it', async () => {
    await using terminal = await shell('printf "name? "; read name; echo "hello $name"');
    await terminal.waitFor(/name\? $/);
    terminal.write(`Adda${KEYS.backspace}${KEYS.enter}`);
    await terminal.exited;
    expect(terminal.text).toBe('name? Adda\b \b\nhello Add\n');
  });

  it('receives a signal by Ctrl-C, and its exit reports that', async () => {
    await using terminal = await shell('printf ready; exec sleep 100');
    await terminal.waitFor('ready');
    terminal.write(KEYS.ctrlC);
    expect(await terminal.exited).toEqual({ code: 0, signal: 'SIGINT' });
  });

  it('has shown all of its output when its exit is reported', async () => {
    await using terminal = await node("process.stdout.write('x'.repeat(500000) + 'end\\n')");
    await terminal.exited;
    expect(terminal.text.length).toBe(500_004);
  });

  it('has shown its output even if it was read only after the exit', async () => {
    // More than a terminal gives at once; three bytes to a character, so that some are cut.
    const text = '€'.repeat(2500);
    await using terminal = await shell(`printf ${text}`);
    // Keeps this process from reading meanwhile.
    while (isAlive(terminal.pid));
    await terminal.exited;
    expect(terminal.text).toBe(text);
  });
});

describe('waiting for text on a pseudo-terminal', () => {
  it('can start after the existing text', async () => {
    await using terminal = await shell('printf "$ "; read a; printf "$ "; read b');
    const { length } = await terminal.waitFor('$ ');
    terminal.write(KEYS.enter);
    expect(await terminal.waitFor('$ ', { from: length })).toBe('$ \n$ ');
  });

  it('fails at once when the program ends without it, and shows the output', async () => {
    await using terminal = await shell('echo nothing; exit 3');
    await expect(terminal.waitFor('much')).rejects.toMatchObject({
      code: 'not-on-terminal',
      data: { wanted: '"much"', text: 'nothing\n' },
    });
    expect(await terminal.exited).toEqual({ code: 3, signal: undefined });
  });

  it('fails at the timeout', async () => {
    await using terminal = await shell('exec sleep 100');
    await expect(terminal.waitFor(/much/, { timeoutMs: 20 })).rejects.toMatchObject({
      message: expect.stringContaining('waited 20 ms, and /much/ did not appear') as string,
    });
  });
});

it('a closed pseudo-terminal ends the program and its children, also those that ignore SIGHUP', async () => {
  const terminal = await shell(
    'trap "" HUP INT TERM; (trap "" HUP INT TERM; sleep 100) & echo "started $!."; wait; wait',
  );
  const started = /started (\d+)\./.exec(await terminal.waitFor(/started \d+\./))?.[1];
  await terminal[Symbol.asyncDispose]();
  await waitUntil(() => !isAlive(terminal.pid) && !isAlive(Number(started)), {
    describe: 'both to end',
  });
  // Once more does nothing.
  await terminal[Symbol.asyncDispose]();
});
