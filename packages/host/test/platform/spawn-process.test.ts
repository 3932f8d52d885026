import { chmod, open } from 'node:fs/promises';
import {
  verifies,
  isAlive,
  allProcesses,
  ManualClock,
  tempFolder,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { spawnProcess } from '../../src/platform/spawn-process.ts';
import { BUILT_ROOM, firstLine, node, shell, start, textOf } from './started-programs.ts';

/** One mark for each enclosing program, and its own. */
const MARK = /^([0-9a-f]{16},)*[0-9a-f]{16}$/;

/** Opens as many files as possible, then starts a program with one more free descriptor each time. */
const CROWDED = `
  import { closeSync, openSync } from "node:fs";
  import { spawnProcess } from "${BUILT_ROOM}";
  const spec = { command: "cat", args: [], env: { PATH: process.env.PATH }, cwd: undefined };
  const options = { session: process.argv[1] };
  // Loads and opens everything that is needed on first use.
  const { value: first } = await spawnProcess(spec, options);
  await first.stop();
  const opened = [];
  try { for (;;) opened.push(openSync("/dev/null")); } catch {}
  const kinds = [];
  while (kinds.at(-1) !== "started" && opened.length > 0) {
    const { ok, value, error } = await spawnProcess(spec, options);
    kinds.push(ok ? "started" : error.code ?? error.kind);
    if (ok) await value.stop();
    closeSync(opened.pop());
  }
  process.stdout.write(JSON.stringify(kinds));
`;

describe('starting a program', () => {
  verifies('TRN-01');

  describe.runIf(process.platform === 'linux').each(['own', 'host'] as const)(
    'that is still open for writing, in the session "%s"',
    (session) => {
      it('tries again until the file is closed', async () => {
        await using folder = await tempFolder();
        const command = await folder.write('program', '#!/bin/sh\nexec cat\n');
        await chmod(command, 0o755);
        const writing = await open(command, 'r+');
        const clock = new ManualClock();
        const starting = start({ ...shell(''), command, args: [] }, { session, clock });
        await waitUntil(() => clock.pending > 0, { describe: 'the pause before another try' });
        await writing.close();
        await clock.advance(20);
        await using program = await starting;
        program.stdin.end('started');
        expect(await textOf(program.stdout)).toBe('started');
      });

      it('gives up after a second', async () => {
        await using folder = await tempFolder();
        const command = await folder.write('program', '#!/bin/sh\nexec cat\n');
        await chmod(command, 0o755);
        await using _writing = await open(command, 'r+');
        const clock = new ManualClock();
        const starting = spawnProcess({ ...shell(''), command, args: [] }, { session, clock });
        await waitUntil(() => clock.pending > 0, { describe: 'the pause before another try' });
        await clock.advance(980);
        await waitUntil(() => clock.pending > 0, { describe: 'the pause before another try' });
        await clock.advance(20);
        expect(await starting).toMatchObject({ error: { kind: 'spawn-failed', code: 'ETXTBSY' } });
      });
    },
  );

  it('passes the arguments unchanged, without a shell, and only the given variables and its mark', async () => {
    await using folder = await tempFolder();
    const report = `console.log(JSON.stringify([process.argv.slice(1), process.env, process.cwd()]))`;
    await using program = await start({
      ...node(report),
      args: ['-e', report, '$HOME', '; echo shell', '*'],
      env: { ONLY: '$HOME', EMPTY: '' },
      cwd: folder.path,
    });
    expect(JSON.parse(await textOf(program.stdout))).toEqual([
      ['$HOME', '; echo shell', '*'],
      { ONLY: '$HOME', EMPTY: '', PLUGBOARD_PROCESS_MARK: expect.stringMatching(MARK) },
      folder.path,
    ]);
  });

  it('makes it the leader of its own group and session', async () => {
    await using program = await start(shell('cat'));
    const found = allProcesses().find((each) => each.pid === program.pid);
    expect({ group: found?.group, session: found?.session }).toEqual({
      group: program.pid,
      session: program.pid,
    });
  });

  it('adds its mark to those of the enclosing programs, whatever the entry names', async () => {
    const tell = `console.log(process.env.PLUGBOARD_PROCESS_MARK)`;
    const inner = { ...node(tell), env: { PLUGBOARD_PROCESS_MARK: 'forged' } };
    await using program = await start(
      node(`
        import { spawnProcess } from '${BUILT_ROOM}';
        ${tell};
        const { value: inner } = await spawnProcess(${JSON.stringify(inner)});
        inner.stdout.pipe(process.stdout);
        await inner.exited;
      `),
    );
    const [outer = '', both = ''] = (await textOf(program.stdout)).split('\n');
    expect(outer).toMatch(MARK);
    expect(both).toMatch(MARK);
    expect(both.startsWith(`${outer},`)).toBe(true);
  });

  it('connects all three pipes', async () => {
    await using program = await start(shell('read word; echo "out $word"; echo "err $word" >&2'));
    program.stdin.write('hello\n');
    expect(await Promise.all([textOf(program.stdout), textOf(program.stderr)])).toEqual([
      'out hello\n',
      'err hello\n',
    ]);
  });
});

describe('a program that cannot be started', () => {
  it('is reported with the search path when the command is not on it', async () => {
    const spec = { ...shell(''), command: 'no-such-program', env: { PATH: '/usr/bin:/bin' } };
    expect(await spawnProcess(spec)).toEqual({
      ok: false,
      error: { kind: 'command-not-found', command: 'no-such-program', searched: '/usr/bin:/bin' },
    });
  });

  it('is searched in the path of the given environment, not that of the host', async () => {
    await using folder = await tempFolder();
    const spec = { ...shell('exit 0'), env: { PATH: folder.path } };
    expect(await spawnProcess(spec)).toEqual({
      ok: false,
      error: { kind: 'command-not-found', command: 'sh', searched: folder.path },
    });
  });

  it('is distinguished from a missing working folder', async () => {
    await using folder = await tempFolder();
    const cwd = `${folder.path}/missing`;
    expect(await spawnProcess({ ...shell('exit 0'), cwd })).toEqual({
      ok: false,
      error: { kind: 'bad-cwd', cwd },
    });
  });

  it('is reported if the working folder is a file', async () => {
    await using folder = await tempFolder();
    const cwd = await folder.write('file', '');
    expect(await spawnProcess({ ...shell('exit 0'), cwd })).toEqual({
      ok: false,
      error: { kind: 'bad-cwd', cwd },
    });
  });

  it('is reported as not executable, by path or by search', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('program', '#!/bin/sh\n');
    const env = { PATH: folder.path };
    expect([
      await spawnProcess({ ...shell(''), command: file }),
      await spawnProcess({ ...shell(''), command: 'program', env }),
      await spawnProcess({ ...shell(''), command: folder.path }),
    ]).toEqual([
      { ok: false, error: { kind: 'not-executable', command: file } },
      { ok: false, error: { kind: 'not-executable', command: 'program' } },
      { ok: false, error: { kind: 'not-executable', command: folder.path } },
    ]);
  });

  it('may be relative to the working folder', async () => {
    await using folder = await tempFolder();
    await folder.write('program', '');
    const spec = { ...shell(''), command: './program', cwd: folder.path };
    expect(await spawnProcess(spec)).toEqual({
      ok: false,
      error: { kind: 'not-executable', command: './program' },
    });
  });

  it('is reported by its interpreter if only that is missing', async () => {
    await using folder = await tempFolder();
    const command = await folder.write('script', '#!/no/such/interpreter\n');
    await (
      await start(shell(`chmod +x '${command}'`))
    ).exited;
    expect(await spawnProcess({ ...shell(''), command })).toEqual({
      ok: false,
      error: {
        kind: 'spawn-failed',
        command,
        code: 'ENOENT',
        message: expect.stringContaining('ENOENT'),
      },
    });
  });

  it.each(['own', 'host'] as const)(
    'is a failure in the session "%s", and ends nothing else, while too many files are open',
    async (session) => {
      // From no free descriptor to enough of them.
      await using program = await start(
        shell(
          `ulimit -n 64; exec "${process.execPath}" --input-type=module -e '${CROWDED}' ${session}`,
        ),
      );
      const kinds = JSON.parse(await textOf(program.stdout)) as string[];
      expect(kinds.slice(0, 4)).toEqual(['EMFILE', 'EMFILE', 'EMFILE', 'EMFILE']);
      expect(kinds.at(-1)).toBe('started');
      expect(new Set(kinds)).toEqual(new Set(['EMFILE', 'started']));
    },
  );

  it('is reported with the error of the system', async () => {
    const spec = { ...shell(''), args: ['a\0b'] };
    expect(await spawnProcess(spec)).toMatchObject({
      ok: false,
      error: { kind: 'spawn-failed', command: 'sh', code: 'ERR_INVALID_ARG_VALUE' },
    });
  });
});

describe('a program that ends', () => {
  it('reports its exit code, or the signal that ended it', async () => {
    await using failing = await start(shell('exit 3'));
    await using killed = await start(shell('kill -KILL $$'));
    expect(await Promise.all([failing.exited, killed.exited])).toEqual([
      { code: 3, signal: null },
      { code: null, signal: 'SIGKILL' },
    ]);
  });

  it('can still be written to without harm', async () => {
    await using program = await start(shell('exec <&-; exit 0'));
    await program.exited;
    program.stdin.write('x'.repeat(1_000_000));
    program.stdin.write('more');
    await program.stop();
    expect(program.stdin.destroyed).toBe(true);
  });

  it('has all of its last output delivered', async () => {
    await using program = await start(
      node(`process.stdout.write('x'.repeat(300_000), () => process.exit(1))`),
    );
    expect((await textOf(program.stdout)).length).toBe(300_000);
  });

  it('has its last output delivered if it ends before its launch is complete', async () => {
    const brief = { ...shell('echo hi; echo last >&2'), cwd: '/' };
    for (let round = 0; round < 20; round += 1) {
      const spawning = spawnProcess(brief, { session: 'host' });
      // Nothing is read while this process is busy, so that the exit and the launch arrive together.
      const until = performance.now() + 25;
      while (performance.now() < until) /* busy */ ;
      const spawned = await spawning;
      if (!spawned.ok) throw new Error(spawned.error.kind);
      await using program = spawned.value;
      const said = await Promise.all([textOf(program.stdout), textOf(program.stderr)]);
      expect(said).toEqual(['hi\n', 'last\n']);
    }
  });

  it('has its descendants ended, even without a call of stop', async () => {
    verifies('CON-10');
    await using program = await start(shell(`trap '' INT TERM; sleep 60 & echo $!; exit 1`));
    const grandchild = Number(await firstLine(program.stdout));
    expect(await program.exited).toEqual({ code: 1, signal: null });
    await waitUntil(() => !isAlive(grandchild), { describe: 'the grandchild to end' });
  });
});
