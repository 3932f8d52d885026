// Attacks on the bridge: whatever a script changes in its realm, the host gets plain JSON values, and the script gets
// no objects of the host.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Sandbox, type ScriptCall, type ScriptOutcome } from '../src/index.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = new Sandbox({ limits: { runMs: 20_000 } });
});
afterAll(() => sandbox.close());

async function run(
  code: string,
  answer: unknown = 'answer',
): Promise<{ outcome: ScriptOutcome; calls: readonly ScriptCall[] }> {
  const calls: ScriptCall[] = [];
  const outcome = await sandbox.run(code, {
    tools: [
      { path: ['a', 'echo'], name: 'echo' },
      { path: ['__proto__', 'constructor'], name: 'odd' },
    ],
    call: async (call) => {
      calls.push(call);
      return { ok: true, value: answer as string };
    },
  });
  return { outcome, calls };
}

const NO_CODE = 'a script cannot make code from text';

describe('the bridge', () => {
  test('gives the host plain objects, whatever the prototype of the arguments', async () => {
    const { calls } = await run(`
      class Own { constructor() { this.a = 1 } get b() { return 2 } }
      await tools.a.echo(new Own());
      await tools.a.echo(Object.create({ inherited: 1 }, { own: { value: 1, enumerable: true } }));
      await tools.a.echo(new Proxy({}, { ownKeys: () => ['x'], get: () => 1,
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) }));
      await tools.a.echo({ get computed() { return 3 }, f() {}, s: Symbol('x'), toJSON: undefined });`);
    expect(calls.map(({ arguments: given }) => given)).toEqual([
      { a: 1 },
      { own: 1 },
      { x: 1 },
      { computed: 3 },
    ]);
    for (const { arguments: given } of calls) {
      expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
    }
  });

  test('refuses arguments with a key that could change a prototype, at any depth', async () => {
    const { outcome, calls } = await run(`
      const messages = [];
      for (const text of ['{"__proto__":{"admin":true}}', '{"a":[{"__proto__":1}]}']) {
        try { await tools.a.echo(JSON.parse(text)) } catch (error) { messages.push(error.message) }
      }
      return messages`);
    expect(calls).toEqual([]);
    expect(outcome).toMatchObject({
      value: Array.from({ length: 2 }, () => 'no argument may be called __proto__'),
    });
    expect('admin' in {}).toBe(false);
  });

  test.each([
    ['a cycle', 'const a = {}; a.a = a; await tools.a.echo(a)', 'TypeError'],
    ['a big integer', 'await tools.a.echo({ a: 1n })', 'TypeError'],
    ['a list', 'await tools.a.echo([1])', 'TypeError'],
    ['a text', 'await tools.a.echo("x")', 'TypeError'],
    ['a toJSON that returns a text', 'await tools.a.echo({ toJSON: () => "x" })', 'TypeError'],
    [
      'a getter that throws',
      'await tools.a.echo({ get a() { throw new SyntaxError("x") } })',
      'SyntaxError',
    ],
  ])('makes no call with %s', async (_, code, name) => {
    const { outcome, calls } = await run(code);
    expect(outcome).toMatchObject({ kind: 'failed', error: { name } });
    expect(calls).toEqual([]);
  });

  test('refuses arguments that are nested too deeply for the host', async () => {
    const { outcome, calls } = await run(
      'let a = {}; for (let at = 0; at < 200; at += 1) a = { a }; await tools.a.echo(a)',
    );
    expect(outcome).toMatchObject({ error: { message: 'the arguments are too-deep' } });
    expect(calls).toEqual([]);
  });

  test('gives no value of the script access to the outside world, or to code made from text', async () => {
    const { outcome } = await run(
      `
      const values = [tools, tools.a, tools.a.echo, console.log, sleep, await tools.a.echo(), sleep(0)];
      try { tools.missing } catch (error) { values.push(error) }
      return values.map((value) => {
        let make = (() => {}).constructor;
        try { make = value.constructor.constructor } catch {}
        try { return make('return typeof process')() } catch ({ message }) { return message }
      })`,
      { a: 1 },
    );
    expect(outcome).toMatchObject({
      kind: 'done',
      value: Array.from({ length: 8 }, () => NO_CODE),
    });
  });

  test.for([
    ['a direct eval', 'eval("1 + 1")'],
    ['an eval of the world', '(0, eval)("1 + 1")'],
    ['the maker of functions', 'new Function("return 2")()'],
    ['the maker of async functions', 'new (async () => {}).constructor("return 2")()'],
    ['the maker of generators', '(function* () {}).constructor("yield 2")().next().value'],
    ['the maker of async generators', '(async function* () {}).constructor("yield 2")().next()'],
    ['the maker of a class', '(class {}).constructor("return 2")()'],
    ['the maker behind the maker', 'Object.getPrototypeOf(Function).constructor("return 2")()'],
    ['a subclass of the maker', 'new (class extends Function {})("return 2")()'],
    ['the maker, made by reflection', 'Reflect.construct(Function, ["return 2"], Array)()'],
    [
      'a function of a place in the stack',
      '(Error.prepareStackTrace = (error, sites) => sites.at(-1).getFileName, new Error()).stack.constructor("")',
    ],
  ])('runs no text as code, by %s', async ([, code]) => {
    const { outcome } = await run(`return ${code}`);
    expect(outcome).toMatchObject({ kind: 'failed', error: { message: NO_CODE } });
  });

  test('recognises functions of all kinds, and runs them', async () => {
    const { outcome } = await run(`
      const made = [() => 1, async () => 1, function* () { yield 1 }, class {}, tools.a.echo];
      const [first] = made;
      return [made.every((one) => one instanceof Function), first.bind(null)(), await made[1](), [...made[2]()]]`);
    expect(outcome).toMatchObject({ value: [true, 1, 1, [1]] });
  });

  test('gives the script results as its own objects, without methods', async () => {
    const answer = JSON.parse('{"then":1,"__proto__":{"x":1},"constructor":2}') as unknown;
    const { outcome } = await run(
      `const got = await tools.a.echo();
       return [got.then, got.constructor, Object.getPrototypeOf(got) === Object.prototype, Object.keys(got)]`,
      answer,
    );
    expect(outcome).toMatchObject({ value: [1, 2, true, ['then', '__proto__', 'constructor']] });
  });

  test('does not depend on what a script replaces', async () => {
    const { outcome, calls } = await run(`
      const evil = () => { throw new Error('replaced') };
      JSON.parse = JSON.stringify = Reflect.apply = Promise.prototype.then = String.prototype.slice = evil;
      Object.defineProperty = Object.create = Array.isArray = Array.prototype.push = evil;
      globalThis.Promise = globalThis.Error = globalThis.Proxy = globalThis.String = evil;
      const answer = await tools.a.echo({ a: 1 });
      console.log('logged', { b: 2 });
      return { answer }`);
    expect(outcome).toMatchObject({
      kind: 'done',
      value: { answer: 'answer' },
      log: ['logged {"b":2}'],
    });
    expect(calls).toEqual([{ name: 'echo', arguments: { a: 1 } }]);
  });

  test('does not let a script replace tools, console and sleep', async () => {
    const { outcome } = await run(`
      const tries = [() => { tools = 1 }, () => { tools.a = 1 }, () => { tools.a.echo = 1 },
        () => { delete tools.a }, () => { sleep = 1 }, () => Object.defineProperty(tools, 'x', { value: 1 })];
      return tries.map((attempt) => { try { attempt(); return 'changed' } catch (error) { return error.name } })`);
    expect(outcome).toMatchObject({ value: Array.from({ length: 6 }, () => 'TypeError') });
  });

  test('finds tools and servers whose names are properties of every object', async () => {
    const { outcome, calls } = await run(
      `const got = await tools.__proto__.constructor({});
       try { tools.a.hasOwnProperty } catch (error) { return [got, error.name] }`,
    );
    expect(outcome).toMatchObject({ value: ['answer', 'TypeError'] });
    expect(calls.map(({ name }) => name)).toEqual(['odd']);
  });

  test.each([
    [
      'a message that is no text',
      'throw { message: { a: 1 }, stack: 7, name: [] }',
      '[object Object]',
    ],
    ['a message that throws', 'throw { get message() { throw 1 } }', ''],
    ['a text', 'throw "plain"', 'plain'],
    ['nothing', 'throw undefined', 'undefined'],
    ['a proxy', 'throw new Proxy({}, { get() { throw 1 } })', ''],
    ['a symbol', 'throw Symbol("x")', 'Symbol(x)'],
  ])('reports what was thrown as texts: %s', async (_, code, message) => {
    const { outcome } = await run(code);
    expect(outcome.kind === 'failed' && outcome.error).toMatchObject({
      message,
      line: 0,
      column: 0,
    });
  });

  test('resolves a thenable that a script returns', async () => {
    const { outcome } = await run('return { then(resolve) { resolve({ a: 1 }) } }');
    expect(outcome).toMatchObject({ kind: 'done', value: { a: 1 } });
  });

  test('reports that a result with a cycle cannot be returned', async () => {
    const { outcome } = await run('const a = {}; a.a = a; return a');
    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'TypeError' } });
  });

  test('reports a syntax error for a script that closes its own function', async () => {
    const { outcome } = await run('return 1 }); ((() => { globalThis.x = 1');
    expect(outcome.kind).toBe('failed');
  });

  test('shows a script only the names of the functions on the stack', async () => {
    const { outcome } = await run(`
      const seen = new Set();
      Error.prepareStackTrace = (_, places) => {
        for (const place of places) seen.add(place.getFunctionName() + ' ' + typeof place.getFunction);
      };
      await tools.a.echo({ toJSON() { new Error('').stack; return {} } });
      return ['argumentsText', 'callTool'].map((name) => [...seen].filter((each) => each.startsWith(name)));`);
    const value = ['argumentsText', 'callTool'].map((name) => [`${name} undefined`]);
    expect(outcome).toMatchObject({ kind: 'done', value });
  });
});
