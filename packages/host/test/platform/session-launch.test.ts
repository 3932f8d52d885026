import { readFileSync } from 'node:fs';
import { allProcesses, KEYS, startOnTerminal, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { spawnProcess } from '../../src/platform/spawn-process.ts';
import { sharesSession } from '../../src/platform/session-launch.ts';
import { BUILT_ROOM, firstLine, shell, start, textOf } from './started-programs.ts';

const IN_HOST = { session: 'host' } as const;
const canShare = sharesSession({});

function placeOf(pid: number): { readonly group: number; readonly session: number } | undefined {
  const found = allProcesses().find((each) => each.pid === pid);
  return found && { group: found.group, session: found.session };
}

describe.runIf(canShare)('a program in the session of its host', () => {
  verifies('TRN-01');

  it('leads its own group in that session', async () => {
    await using program = await start(shell('echo up; cat'), IN_HOST);
    await firstLine(program.stdout);
    expect(placeOf(program.pid)).toEqual({
      group: program.pid,
      session: placeOf(process.pid)?.session,
    });
  });

  it('is the program itself, with the given arguments, variables, folder and pipes', async () => {
    await using folder = await tempFolder();
    const report = `
      process.stdin.once('data', (word) => {
        console.log(JSON.stringify([process.argv.slice(1), process.env, process.cwd(), process.ppid, String(word)]));
        process.exit();
      })`;
    const env = { ONLY: '$HOME', EMPTY: '', LC_ALL: 'xx_XX.no-such-language' };
    const args = ['-e', report, '--', '-x', '$HOME', '; echo shell', '*', ''];
    await using program = await start(
      { command: process.execPath, args, env, cwd: folder.path },
      IN_HOST,
    );
    program.stdin.write('word');
    const [out, complaint] = await Promise.all([textOf(program.stdout), textOf(program.stderr)]);
    expect(JSON.parse(out)).toEqual([
      ['-x', '$HOME', '; echo shell', '*', ''],
      { ...env, PLUGBOARD_PROCESS_MARK: expect.any(String) },
      folder.path,
      process.pid,
      'word',
    ]);
    expect(complaint).toBe('');
  });

  it('fails to start for the same reasons as any other', async () => {
    await using folder = await tempFolder();
    const plain = await folder.write('plain', '#!/bin/sh\n');
    const broken = await folder.write('broken', '#!/no/such/interpreter\n');
    await (
      await start(shell(`chmod +x '${broken}'`))
    ).exited;
    const env = { PATH: folder.path };
    const specs = [
      { ...shell(''), command: 'no-such-program', env },
      { ...shell(''), command: plain },
      { ...shell(''), cwd: `${folder.path}/missing` },
      { ...shell(''), command: broken },
      { ...shell(''), args: ['a\0b'] },
    ];
    const failures = await Promise.all(specs.map((spec) => spawnProcess(spec, IN_HOST)));
    expect(failures).toEqual([
      {
        ok: false,
        error: { kind: 'command-not-found', command: 'no-such-program', searched: folder.path },
      },
      { ok: false, error: { kind: 'not-executable', command: plain } },
      { ok: false, error: { kind: 'bad-cwd', cwd: `${folder.path}/missing` } },
      {
        ok: false,
        error: {
          kind: 'spawn-failed',
          command: broken,
          code: 'ENOENT',
          message: expect.stringContaining('ENOENT'),
        },
      },
      {
        ok: false,
        error: expect.objectContaining({ kind: 'spawn-failed', code: 'ERR_INVALID_ARG_VALUE' }),
      },
    ]);
  });

  it('counts as killed when its launcher was, and is not started a second time', async () => {
    // Everything is loaded by then.
    await (await start(shell('true'), IN_HOST)).stop();
    const starting = spawnProcess(shell('echo up; cat'), IN_HOST);
    // At once, before it becomes the program.
    const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1');
    const launcher = Number(children.trim().split(' ').at(-1));
    process.kill(launcher, 'SIGKILL');
    const started = await starting;
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    await using program = started.value;
    expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(program.pid).toBe(launcher);
  });

  it('has its own session if its variables would affect the launcher', async () => {
    for (const variable of ['PERL5OPT', 'LD_PRELOAD']) {
      // Neither the module nor the library exists: only Perl fails because of that.
      const spec = shell('echo up; cat');
      const env = { ...spec.env, [variable]: '-Mno_such_module' };
      await using program = await start({ ...spec, env }, IN_HOST);
      await firstLine(program.stdout);
      expect(placeOf(program.pid)?.group).toBe(program.pid);
    }
  });
});

/** A server that reports whether it can open the terminal, answers lines, and reports Ctrl-C. */
const NOSY = `
  const { openSync } = require('node:fs');
  process.on('SIGINT', () => console.log('server was interrupted'));
  try {
    openSync('/dev/tty', 'r');
    console.log('server has the terminal');
  } catch (thrown) {
    console.log('server is refused: ' + thrown.code);
  }
  process.stdin.on('data', (line) => console.log('server heard ' + String(line).trim()));
`;

/** A host on a terminal, which starts the server and reads the typed keys itself. */
const HOST = `
  import { spawn } from 'node:child_process';
  import { createInterface } from 'node:readline';
  import { spawnProcess } from '${BUILT_ROOM}';
  const spec = { command: process.execPath, args: ['-e', ${JSON.stringify(NOSY)}], env: {}, cwd: undefined };
  const way = process.argv[2];
  const server =
    way === 'plain' ? spawn(spec.command, spec.args) : (await spawnProcess(spec, { session: way })).value;
  server.stdout.pipe(process.stdout);
  process.on('SIGINT', () => server.stdin.write('a question\\n'));
  createInterface({ input: process.stdin }).on('line', (line) => console.log('host read ' + line));
`;

describe('a program whose host is on a terminal', () => {
  verifies('TRN-01');

  it.each(['host', 'own'])(
    'can neither read keys nor be interrupted by them (%s session)',
    async (way) => {
      await using folder = await tempFolder();
      const script = await folder.write('host.mjs', HOST);
      await using terminal = await startOnTerminal({
        command: process.execPath,
        args: [script, way],
        cwd: folder.path,
        env: { PATH: process.env['PATH'] ?? '' },
      });
      await terminal.waitFor('server is refused: ENXIO');
      terminal.write(`password${KEYS.enter}`);
      await terminal.waitFor('host read password');
      terminal.write(KEYS.ctrlC);
      await terminal.waitFor('server heard a question');
      expect(terminal.text).not.toContain('server was interrupted');
    },
  );

  it('could do both if Node alone started it', async () => {
    await using folder = await tempFolder();
    const script = await folder.write('host.mjs', HOST);
    await using terminal = await startOnTerminal({
      command: process.execPath,
      args: [script, 'plain'],
      cwd: folder.path,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    await terminal.waitFor('server has the terminal');
    terminal.write(KEYS.ctrlC);
    expect(await terminal.waitFor(/server was interrupted/)).toContain('server has the terminal');
  });
});
