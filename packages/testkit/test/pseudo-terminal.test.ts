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

describe('a program on a terminal', () => {
  it('sees a terminal of the size it was given, and only the environment it was given', async () => {
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

  it('is told when the size changes', async () => {
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

  it('gets what is typed, and shows it as terminals do', async () => {
    await using terminal = await shell('printf "name? "; read name; echo "hello $name"');
    await terminal.waitFor(/name\? $/);
    terminal.write(`Adda${KEYS.backspace}${KEYS.enter}`);
    await terminal.exited;
    expect(terminal.text).toBe('name? Adda\b \b\nhello Add\n');
  });

  it('gets a signal by Ctrl-C, and its end says so', async () => {
    await using terminal = await shell('printf ready; exec sleep 100');
    await terminal.waitFor('ready');
    terminal.write(KEYS.ctrlC);
    expect(await terminal.exited).toEqual({ code: 0, signal: 'SIGINT' });
  });

  it('has shown all that it wrote by the time its end is known', async () => {
    await using terminal = await node("process.stdout.write('x'.repeat(500000) + 'end\\n')");
    await terminal.exited;
    expect(terminal.text.length).toBe(500_004);
  });

  it('has shown it even if nobody looked before it was gone', async () => {
    // More than a terminal gives at once; three bytes to a character, so that some are cut.
    const text = '€'.repeat(2500);
    await using terminal = await shell(`printf ${text}`);
    // Keeps this process from reading meanwhile.
    while (isAlive(terminal.pid));
    await terminal.exited;
    expect(terminal.text).toBe(text);
  });
});

describe('waiting for what appears', () => {
  it('can start after what is there already', async () => {
    await using terminal = await shell('printf "$ "; read a; printf "$ "; read b');
    const { length } = await terminal.waitFor('$ ');
    terminal.write(KEYS.enter);
    expect(await terminal.waitFor('$ ', { from: length })).toBe('$ \n$ ');
  });

  it('fails at once when the program ends without it, and says what there is', async () => {
    await using terminal = await shell('echo nothing; exit 3');
    await expect(terminal.waitFor('much')).rejects.toMatchObject({
      code: 'not-on-terminal',
      data: { wanted: '"much"', text: 'nothing\n' },
    });
    expect(await terminal.exited).toEqual({ code: 3, signal: undefined });
  });

  it('fails when time is up', async () => {
    await using terminal = await shell('exec sleep 100');
    await expect(terminal.waitFor(/much/, { timeoutMs: 20 })).rejects.toMatchObject({
      message: expect.stringContaining('waited 20 ms, and /much/ did not appear') as string,
    });
  });
});

it('ends the program and all that it started, also what ignores hanging up', async () => {
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
