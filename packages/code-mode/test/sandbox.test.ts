// Scripts like those of a model, and their outcomes.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CallContext,
  type CallResult,
  outcomeText,
  Sandbox,
  type ScriptCall,
  type ScriptOutcome,
  type ScriptTool,
} from '../src/index.ts';

const TOOLS: readonly ScriptTool[] = [
  { path: ['notes', 'echo'], name: 'notes__echo' },
  { path: ['notes', 'denied'], name: 'notes__denied' },
  { path: ['notes', 'never'], name: 'notes__never' },
  { path: ['my-server', 'get-it'], name: 'my-server__get-it' },
];
const REPORT = { log: [], droppedLines: 0, calls: [] };

let sandbox: Sandbox;
beforeAll(() => {
  // The running time of a script is wall time, and the machine may be busy.
  sandbox = new Sandbox({ limits: { runMs: 20_000 } });
});
afterAll(() => sandbox.close());

async function answerCall(
  { name, arguments: given }: ScriptCall,
  { signal }: CallContext,
): Promise<CallResult> {
  if (name === 'notes__denied') return { ok: false, message: 'denied by a rule' };
  if (name !== 'notes__never') return { ok: true, value: given };
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ ok: false, message: 'aborted' }));
  });
}

function run(code: string, call = answerCall, signal?: AbortSignal): Promise<ScriptOutcome> {
  return sandbox.run(code, { tools: TOOLS, call, ...(signal === undefined ? {} : { signal }) });
}

const done = (name: string) => ({ name, state: 'done' as const, message: '' });

describe('a script', () => {
  test('returns a value together with its log', async () => {
    expect(await run('console.log("sum", { of: [1, 2] }, new Error("x")); return 1 + 2')).toEqual({
      ...REPORT,
      kind: 'done',
      value: 3,
      log: ['sum {"of":[1,2]} Error: x'],
    });
  });

  test('calls tools by server and name and gets their results as objects', async () => {
    const code = `
      const one = await tools.notes.echo({ at: [1] });
      const two = await tools['my-server']['get-it']();
      return [one.at[0], two, Object.keys(tools), 'echo' in tools.notes, await tools.notes === tools.notes]`;
    expect(await run(code)).toEqual({
      ...REPORT,
      kind: 'done',
      value: [1, {}, ['notes', 'my-server'], true, true],
      calls: [done('notes__echo'), done('my-server__get-it')],
    });
  });

  test('may return nothing', async () => {
    expect(await run('')).toEqual({ ...REPORT, kind: 'done', value: undefined });
  });

  test('in TypeScript runs without its types, and its errors keep their line and column', async () => {
    const code = [
      'interface Note { at: number }',
      'const id = <T,>(value: T): T => value;',
      'const note: Note = (await tools.notes.echo({ at: 1 })) as Note;',
      '/* types before it */ const typed: Array<Note> = [note!]; throw new TypeError("here");',
    ].join('\n');
    const outcome = await run(code);
    expect(outcome.kind === 'failed' && outcome.error).toMatchObject({
      name: 'TypeError',
      message: 'here',
      line: 4,
      column: code.split('\n')[3]!.indexOf('TypeError(') + 1,
    });
  });

  test('in TypeScript may give type arguments, which JavaScript would read as comparisons', async () => {
    expect(await run('const id = (value) => value; return id<string>("a")')).toMatchObject({
      kind: 'done',
      value: 'a',
    });
  });

  test.each([
    ['of JavaScript', 'return 1;\n  const = 2;', 2, 9],
    ['of TypeScript on the first line', 'enum Colour { Red }', 1, 1],
  ])('with wrong syntax %s says where', async (_, code, line, column) => {
    const outcome = await run(code);
    expect(outcome.kind === 'failed' && outcome.error).toMatchObject({
      name: 'SyntaxError',
      line,
      column,
    });
  });

  test('that fails on its first line reports the column in the written code', async () => {
    const outcome = await run('  throw new Error("early")');
    expect(outcome.kind === 'failed' && outcome.error).toEqual({
      name: 'Error',
      message: 'early',
      line: 1,
      column: 13,
      stack: '    at <anonymous> (script.js:1:13)',
    });
  });

  test('that fails at a call reports the line of the call and which calls were made', async () => {
    const outcome = await run(`await tools.notes.echo({});
      tools.notes.never({});
      await tools.notes.denied({});
      await tools.notes.echo({});`);
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: { name: 'ToolError', message: 'denied by a rule', line: 3 },
      calls: [
        done('notes__echo'),
        { name: 'notes__never', state: 'unfinished', message: '' },
        { name: 'notes__denied', state: 'failed', message: 'denied by a rule' },
      ],
    });
    expect(outcomeText(outcome)).toMatch(
      /^The script failed at line 3, column \d+: ToolError: denied by a rule\n\nCalls made:\n1\. notes__echo\n\nCalls that failed:\n3\. notes__denied: denied by a rule\n\nCalls that may have been made:\n2\. notes__never$/,
    );
  });

  test('that catches a denial continues, and the denial is still reported', async () => {
    const outcome = await run('try { await tools.notes.denied() } catch { return "went on" }');
    expect(outcome).toEqual({
      ...REPORT,
      kind: 'done',
      value: 'went on',
      calls: [{ name: 'notes__denied', state: 'failed', message: 'denied by a rule' }],
    });
    expect(outcomeText(outcome)).toContain('Calls that failed:\n1. notes__denied');
  });

  test('that names an unknown tool or server gets the closest names', async () => {
    const messages = await run(`
      const messages = [];
      for (const wrong of [() => tools.server, () => tools.notes.never_mind]) {
        try { wrong() } catch (error) { messages.push(error.message) }
      }
      return messages`);
    expect(messages).toMatchObject({
      value: [
        'there is no server "server"; the closest are: my-server notes',
        'there is no tool "never_mind"; the closest are: never echo denied',
      ],
    });
  });

  test('runs without access to the process, files, the network and timers', async () => {
    const names = ['process', 'require', 'fetch', 'setTimeout', 'Buffer', 'Worker', 'WebAssembly'];
    const code = `
      let modules = 'none';
      try { await import('node:fs'); modules = 'some' } catch {}
      return [${JSON.stringify(names)}.filter((name) => name in globalThis), modules]`;
    expect(await run(code)).toMatchObject({ kind: 'done', value: [[], 'none'] });
  });

  test('does not see the globals of an earlier script', async () => {
    await run('globalThis.left = 1; Array.prototype.left = 1');
    expect(await run('return [typeof left, [].left === undefined]')).toMatchObject({
      value: ['undefined', true],
    });
  });

  test('stops once it has returned, and its open calls are aborted', async () => {
    const aborted: string[] = [];
    const outcome = await run(
      `tools.notes.never({ at: 1 });
       const again = async () => { for (;;) { await sleep(1); await tools.notes.echo({}) } };
       again();
       return 'early'`,
      async (call, { signal }) => {
        signal.addEventListener('abort', () => aborted.push(call.name));
        return answerCall(call, { signal, pauseDeadline: () => ({ [Symbol.dispose]() {} }) });
      },
    );
    expect(outcome).toMatchObject({
      kind: 'done',
      value: 'early',
      calls: [{ name: 'notes__never', state: 'unfinished' }],
    });
    expect(aborted).toEqual(['notes__never']);
  });

  test('is cancelled by its signal', async () => {
    const cancel = new AbortController();
    const outcome = await run(
      'await tools.notes.never()',
      async (call, context) => {
        cancel.abort();
        return answerCall(call, context);
      },
      cancel.signal,
    );
    expect(outcome).toMatchObject({ kind: 'cancelled', calls: [{ state: 'unfinished' }] });
    expect(await run('return 1', answerCall, cancel.signal)).toMatchObject({ kind: 'cancelled' });
  });

  test('gets an error for a call if the host throws', async () => {
    const outcome = await run('await tools.notes.echo()', () =>
      Promise.reject(new Error('broken')),
    );
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: { message: 'broken' },
      calls: [{ state: 'failed', message: 'broken' }],
    });
  });

  test('is cancelled when its sandbox is closed', async () => {
    const closing = new Sandbox();
    const outcome = closing.run('await tools.notes.never()', {
      tools: TOOLS,
      call: async (call, context) => {
        void closing.close();
        return answerCall(call, context);
      },
    });
    expect(await outcome).toMatchObject({ kind: 'cancelled' });
  });
});
