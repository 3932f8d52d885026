// Each limit, with a script that would otherwise continue. Times are short; a busy machine may exceed them, but never
// fall below.

import { type Clock, systemClock } from '@plugboard/base';
import { atSomePace, ManualClock } from '@plugboard/testkit';
import { describe, expect, test } from 'vitest';
import {
  Sandbox,
  type SandboxOptions,
  type ScriptLimits,
  type ScriptOptions,
  type ScriptOutcome,
} from '../src/index.ts';

const TOOLS = [
  { path: ['a', 'echo'], name: 'echo' },
  { path: ['a', 'never'], name: 'never' },
] as const;
const LONG = 50_000;

async function runAlone(
  code: string,
  options: ScriptOptions & SandboxOptions,
): Promise<ScriptOutcome> {
  await using sandbox = new Sandbox(options);
  return await sandbox.run(code, options);
}

function run(
  code: string,
  limits: Partial<ScriptLimits> = {},
  { call, clock = systemClock }: { call?: ScriptOptions['call']; clock?: Clock } = {},
): Promise<ScriptOutcome> {
  return runAlone(code, {
    tools: TOOLS,
    clock,
    call:
      call ??
      (async ({ name, arguments: given }, { signal }) =>
        name === 'echo'
          ? { ok: true, value: given }
          : new Promise((resolve) => {
              signal.addEventListener('abort', () => resolve({ ok: false, message: '' }));
            })),
    limits: { runMs: LONG, deadlineMs: LONG, ...limits },
  });
}

const limit = (name: string) => ({ kind: 'limit', limit: name });

describe('a script that runs for too long', () => {
  test.each([
    ['in a loop', 'for (;;) {}'],
    ['in a loop that catches', 'for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }'],
    ['in promises', 'for (;;) { try { for (;;) await null } catch {} }'],
    [
      'in promises that are not awaited',
      'const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})',
    ],
    ['in a regular expression', '/^(a+)+$/.test("a".repeat(60) + "b")'],
    ['while a call waits', 'tools.a.never(); for (;;) {}'],
    ['in a getter of its result', 'return { get a() { for (;;) {} } }'],
    ['in the message of its error', 'throw { get message() { for (;;) {} } }'],
    ['in calls', 'for (;;) await tools.a.echo()'],
  ])('%s ends', async (_, code) => {
    // The clock of the host's thread stands still, so that the script's thread has to notice.
    const clock = new ManualClock();
    const outcome = await run(code, { runMs: 100, calls: 1e6 }, { clock });
    expect(outcome).toMatchObject(limit('run-time'));
  });

  test('in an uninterruptible step of the engine is ended with its thread', async () => {
    // The engine reads the clock once per ten thousand of these.
    const code = 'tools.a.never(); const text = "a".repeat(4e6); for (;;) text.lastIndexOf("ab");';
    await atSomePace(async (runMs) => {
      expect(await run(code, { runMs })).toMatchObject({
        ...limit('run-time'),
        calls: [{ name: 'never', state: 'unfinished' }],
      });
    });
  });
});

describe('a script that waits for too long', () => {
  test.each([
    ['for a call ends at its deadline', 'run', { kind: 'limit', limit: 'deadline' }],
    [
      'for a person does not end, since the deadline is paused',
      'pause',
      { kind: 'done', value: 1 },
    ],
  ])('%s', async (_, deadline, expected) => {
    const clock = new ManualClock();
    const outcome = await runAlone('return await tools.a.echo()', {
      tools: TOOLS,
      clock,
      limits: { runMs: LONG, deadlineMs: 1000 },
      call: async (_call, { pauseDeadline }) => {
        const pause = deadline === 'pause' ? pauseDeadline() : undefined;
        await clock.advance(5000);
        pause?.[Symbol.dispose]();
        return { ok: true, value: 1 };
      },
    });
    expect(outcome).toMatchObject(expected);
  });

  test('for a promise that nothing settles ends at once', async () => {
    expect(await run('await new Promise(() => {})')).toMatchObject(limit('stalled'));
  });

  test('for sleep ends before it sleeps', async () => {
    const started = systemClock.elapsed();
    expect(await run('await sleep(1); await sleep(1e9)')).toMatchObject(limit('sleep'));
    expect(await run('await sleep(NaN); await sleep(-5); return 1')).toMatchObject({ value: 1 });
    expect(systemClock.elapsed() - started).toBeLessThan(LONG);
  });

  test('in many sleeps at once ends at their sum', async () => {
    const code = 'await Promise.all(Array.from({ length: 5000 }, () => sleep(0)))';
    expect(await run(code, { sleepMs: 1000 })).toMatchObject(limit('sleep'));
  });
});

describe('a script that takes too much memory', () => {
  test.each([
    ['in strings', 'const all = []; for (let at = 0; ; at += 1) all.push("x".repeat(999) + at)'],
    ['in objects', 'const all = []; for (;;) all.push({ a: {} })'],
    ['in objects that stay', 'globalThis.all = []; for (;;) all.push({ a: {} })'],
    ['in shared buffers', 'const all = []; for (;;) all.push(new SharedArrayBuffer(100_000))'],
    ['in typed arrays', 'const all = []; for (;;) all.push(new Uint8Array(100_000))'],
    [
      'in a buffer that grows',
      'const all = new ArrayBuffer(8, { maxByteLength: 2 ** 31 - 1 }); all.resize(2 ** 30)',
    ],
    [
      'in the arguments of a call',
      'await tools.a.echo({ text: "x".repeat(9e6) + "y".repeat(9e6) })',
    ],
  ])('%s ends', async (_, code) => {
    expect(await run(code, { memoryBytes: 8 * 1024 * 1024 })).toMatchObject(limit('memory'));
  });

  test('and catches that continues within its memory', async () => {
    const code =
      'for (;;) { try { const all = []; for (;;) all.push({}) } catch { return "went on" } }';
    expect(await run(code, { memoryBytes: 8 * 1024 * 1024 })).toMatchObject({ value: 'went on' });
  });
});

describe('a script that is too deep', () => {
  test('in calls of functions fails where it is', async () => {
    expect(await run('const f = (n) => f(n + 1) + 1;\n f(0)')).toMatchObject({
      kind: 'failed',
      error: { name: 'RangeError', line: 1 },
    });
  });

  test('in its syntax ends', async () => {
    const code = `return ${'('.repeat(30_000)}1${')'.repeat(30_000)}`;
    expect(await run(code)).toMatchObject(limit('stack'));
  });

  test('in its result ends', async () => {
    const code = 'let a = []; for (let at = 0; at < 200; at += 1) a = [a]; return a';
    expect(await run(code)).toMatchObject(limit('result'));
  });
});

describe('a script that makes too many calls', () => {
  test('at once ends at the limit, before most calls are made', async () => {
    let made = 0;
    const outcome = await run(
      'await Promise.all(Array.from({ length: 10_000 }, (_, at) => tools.a.echo({ at })))',
      { calls: 20, callsInFlight: 3 },
      {
        call: () => {
          made += 1;
          return new Promise(() => {});
        },
      },
    );
    expect(outcome).toMatchObject(limit('calls'));
    expect(made).toBe(3);
    expect(outcome.calls.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 3 }, () => 'unfinished'),
      ...Array.from({ length: 17 }, () => 'not-started'),
    ]);
  });

  test('in flight has the rest queued and made in order', async () => {
    const made: unknown[] = [];
    let inFlight = 0;
    let most = 0;
    const outcome = await run(
      'return (await Promise.all(Array.from({ length: 20 }, (_, at) => tools.a.echo({ at })))).length',
      { callsInFlight: 3 },
      {
        call: async ({ arguments: given }) => {
          made.push(given['at']);
          inFlight += 1;
          most = Math.max(most, inFlight);
          await Promise.resolve();
          inFlight -= 1;
          return { ok: true, value: null };
        },
      },
    );
    expect(outcome).toMatchObject({ kind: 'done', value: 20 });
    expect(made).toEqual(Array.from({ length: 20 }, (_, at) => at));
    expect(most).toBeLessThanOrEqual(3);
  });
});

describe('a script that writes too much', () => {
  test('to its log continues, and further lines are counted and dropped', async () => {
    const code = 'for (let at = 0; at < 1000; at += 1) console.log("x".repeat(50)); return 1';
    const outcome = await run(code, { logChars: 500 });
    expect(outcome).toMatchObject({ kind: 'done', value: 1, droppedLines: 990 });
    expect(outcome.log).toEqual(Array.from({ length: 10 }, () => 'x'.repeat(50)));
  });

  test('to its log in empty lines is bounded, too', async () => {
    const outcome = await run('for (let at = 0; at < 1000; at += 1) console.log()', {
      logChars: 160,
    });
    expect([outcome.log.length, outcome.droppedLines]).toEqual([10, 990]);
  });

  test('in its result ends', async () => {
    expect(await run('return "x".repeat(200)', { resultChars: 100 })).toMatchObject(
      limit('result'),
    );
  });

  test('in its code does not start', async () => {
    expect(await run('/* long */ return 1', { codeChars: 10 })).toMatchObject(limit('code'));
  });

  test('in arguments gets an error instead of the call', async () => {
    const outcome = await run(
      'try { await tools.a.echo({ text: "x".repeat(200) }) } catch (error) { return error.message }',
      { argumentChars: 100 },
    );
    expect(outcome).toMatchObject({
      value: 'the arguments have more than 100 characters',
      calls: [],
    });
  });

  test('in errors gets them shortened', async () => {
    const outcome = await run('throw new Error("x".repeat(100_000))');
    expect(outcome.kind === 'failed' && outcome.error.message.length).toBe(4000);
  });

  test('in errors before it starts gets them shortened', async () => {
    const outcome = await run(
      "}); throw Object.assign(new Error('x'.repeat(1e6)), { name: 'n'.repeat(1e6) }); (async () => {",
    );
    const { name = '', message = '' } = outcome.kind === 'failed' ? outcome.error : {};
    expect([name.length, message.length]).toEqual([100, 4000]);
  });

  test('through the answer of a tool gets an error instead of the answer', async () => {
    const outcome = await run(
      'await tools.a.echo()',
      { answerChars: 100 },
      {
        call: async () => ({ ok: true, value: 'x'.repeat(200) }),
      },
    );
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: { message: 'the call was made, but its answer has more than 100 characters' },
    });
  });
});
