// Scripts of a model over the tools of real servers, in both eras.

import { Scope, type JsonObject } from '@plugboard/base';
import { type Era, ManualClock, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type {
  Approval,
  ApprovalRequest,
  Approver,
  ElicitationAnswer,
  ElicitationRequest,
} from '../../src/index.ts';
import { form } from '../host/asking-cells.ts';
import { givenHost } from '../host/given-host.ts';
import { scriptStory } from './script-story.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const OWN = ['search_tools', 'describe_tools', 'call_tool', 'run_code'];

const serverOf = (era: Era, script: Parameters<typeof scriptedServer>[0] = {}) => ({
  ...scriptedServer({ ...script, eras: [era] }),
  protocol: era,
});

/** Lets the script begin to wait first, or the time would count as that of its own code. */
async function passes(
  clock: ManualClock,
  ms: number,
  run: (code: string) => Promise<unknown>,
): Promise<void> {
  for (let step = 0; step < 5; step += 1) {
    await run('return 1');
    await clock.advance(1000);
  }
  await clock.advance(ms);
}

const MANY = {
  content: [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ],
};

describe.each(ERAS)('a script over the tools of a server, %s', (era) => {
  verifies('CTX-02');

  it('gets results as values, and only its return value and its log reach the model', async () => {
    await using scope = new Scope();
    const tools = [{ name: 'many', result: MANY }];
    const builtIns = ['add', 'echo', 'image', 'resource'];
    const host = await givenHost(scope, { my: serverOf(era, { builtIns, tools }) });
    const { names, run } = await scriptStory(host);
    expect(names).toEqual(OWN);
    const answer = await run(`
      const { sum }: { sum: number } = await tools.my.add({ a: 1, b: 2 });
      const text = await tools.my.echo({ message: 'secret' });
      const [image] = await tools.my.image({});
      console.log(typeof image.data, image.type, image.mimeType);
      return { sum, length: text.length, many: await tools.my.many({}), resource: await tools.my.resource({}) }`);
    expect(answer.isError).toBe(false);
    const [value, ...log] = answer.text.split('\n');
    expect(JSON.parse(value ?? '')).toEqual({
      sum: 3,
      length: 6,
      many: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      resource: [
        { type: 'resource', uri: 'scripted://notes/1', mimeType: 'text/plain', text: 'a note' },
        { type: 'link', uri: 'scripted://notes/2', name: 'note-2', mimeType: 'text/plain' },
      ],
    });
    expect(log.join('\n')).toBe('\nLog:\nstring image image/png');
  });

  it('gets a large result in full, and its own result is cut for the model', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { my: serverOf(era, { builtIns: ['big'] }) });
    const { run } = await scriptStory(host);
    const length = await run('return (await tools.my.big({ bytes: 3_000_000 })).length');
    expect(length.text).toBe('3000000');
    const cut = await run('return (await tools.my.big({ bytes: 200_000 })).replaceAll("x", "y")');
    expect(cut.text.length).toBeLessThan(110_000);
    const [file] = host.results.all;
    expect(cut.text).toContain(`id ${file?.id}`);
    expect(await host.results.read(file?.id ?? '', { characters: 4 })).toMatchObject({
      text: '"yyy',
    });
  });

  it('fails with its line and column, and with the calls that were made and not made', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { my: serverOf(era, { builtIns: ['echo', 'error'] }) });
    const { run } = await scriptStory(host);
    const failed = await run(
      `await tools.my.echo({ message: 'hi' });\n  await tools.my.error({});`,
    );
    expect(failed).toEqual({
      isError: true,
      text: `The script failed at line 2, column 18: ToolError: the tool failed

Calls made:
1. mcp__my__echo

Calls that failed:
2. mcp__my__error: the tool failed`,
    });
    const wrong = await run('await tools.my.echo({ message: 1 })');
    expect(wrong.text).toContain('my.echo(message: string)');
    expect(await run('')).toEqual({
      isError: true,
      text: 'run_code takes { "code": "…", "name"?: "…" }.',
    });
    expect(await run('1')).toMatchObject({ text: 'The script ended, and returned nothing.' });
  });

  it('does not run out of time while the user is asked about a call', async () => {
    await using scope = new Scope();
    const clock = new ManualClock();
    let answer: (approval: Approval) => void = () => {};
    let isAsked = false;
    const approve: Approver = () => {
      isAsked = true;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const servers = { my: serverOf(era, { builtIns: ['echo'] }) };
    const host = await givenHost(scope, servers, { approve, clock });
    const { run } = await scriptStory(host);
    const running = run('return await tools.my.echo({ message: "hi" })');
    await waitUntil(() => isAsked, { describe: 'the question' });
    await passes(clock, 3_600_000, run);
    answer({ kind: 'allow' });
    expect(await running).toEqual({ isError: false, text: '"hi"' });
  });

  it('does not run out of time while its server asks the user', async () => {
    await using scope = new Scope();
    const clock = new ManualClock();
    let answer: (answer: ElicitationAnswer) => void = () => {};
    let asked: ElicitationRequest | undefined;
    const elicit = (request: ElicitationRequest): Promise<ElicitationAnswer> => {
      asked = request;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const host = await givenHost(scope, { my: serverOf(era, { asks: true }) }, { elicit, clock });
    const { run } = await scriptStory(host);
    const questions = JSON.stringify([form('Who?', {})]);
    const running = run(`return await tools.my.ask({ questions: ${questions} })`);
    await waitUntil(() => asked !== undefined, { describe: 'the question' });
    await passes(clock, 600_000, run);
    answer({ kind: 'accept', content: {} });
    const { text, isError } = await running;
    expect({ text, isError }).toMatchObject({ isError: false });
    expect(text).toContain('accept');
  });

  it('runs out of time while its server is busy', async () => {
    await using scope = new Scope();
    const clock = new ManualClock();
    const host = await givenHost(scope, { my: serverOf(era, { builtIns: ['sleep'] }) }, { clock });
    const { run } = await scriptStory(host);
    const running = run('return await tools.my.sleep({ ms: 3_600_000 })');
    await waitUntil(() => host.trace('my').some(({ method }) => method === 'tools/call'), {
      describe: 'the call',
    });
    await passes(clock, 121_000, run);
    expect((await running).text).toContain('The script was stopped: it took too long in all.');
  });
});

describe('scripts', () => {
  const s = scriptedServer({ builtIns: ['echo'] });

  it('require approval under their own names, and the user sees their code', async () => {
    await using scope = new Scope();
    const asked: ApprovalRequest[] = [];
    const approve: Approver = (request) => {
      asked.push(request);
      return { kind: 'allow' };
    };
    const { run } = await scriptStory(await givenHost(scope, { s }, { approve }));
    const code = 'return await tools.s.echo({ message: "hi" })';
    await run(code, 'say \u001B[31mhi\n"you"');
    await run(code);
    expect(asked.map(({ asker, script, offers }) => ({ asker, script, offers }))).toEqual([
      {
        asker: 'script say 31mhiyou',
        script: { name: 'say 31mhiyou', code },
        offers: ['once', 'script', 'session'],
      },
      {
        asker: 'script unnamed',
        script: { name: 'unnamed', code },
        offers: ['once', 'script', 'session'],
      },
    ]);
  });

  it('run four at a time', async () => {
    await using scope = new Scope();
    const waiting: ((approval: Approval) => void)[] = [];
    let count = 0;
    const approve: Approver = () => {
      count += 1;
      return new Promise((resolve) => waiting.push(resolve));
    };
    const { run } = await scriptStory(await givenHost(scope, { s }, { approve }));
    const code = (at: number): string => `return await tools.s.echo({ message: "${at}" })`;
    const all = [1, 2, 3, 4, 5].map((at) => run(code(at)));
    await waitUntil(() => waiting.length === 4, { describe: 'four questions' });
    expect(count).toBe(4);
    waiting[0]?.({ kind: 'allow' });
    await waitUntil(() => waiting.length === 5, { describe: 'the fifth question' });
    for (const answer of waiting) answer({ kind: 'allow' });
    const answers = await Promise.all(all);
    expect(answers.map(({ text }) => text)).toEqual(['"1"', '"2"', '"3"', '"4"', '"5"']);
  });

  it('end with their host', async () => {
    await using scope = new Scope();
    let isAsked = false;
    const approve: Approver = ({ signal }) => {
      isAsked = true;
      return new Promise((resolve) => {
        const gone = { kind: 'deny', reason: 'gone' } as const;
        signal.addEventListener('abort', () => resolve(gone), { once: true });
      });
    };
    const host = await givenHost(scope, { s }, { approve });
    const { run } = await scriptStory(host);
    const running = run('return await tools.s.echo({ message: "hi" })');
    await waitUntil(() => isAsked, { describe: 'the question' });
    await host.close();
    expect((await running).text).toContain('The script was cancelled.');
    expect((await run('return 1')).text).toBe('The script was cancelled.');
  });

  it('can also call tools that are always sent, and are disabled by default', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s, other: { ...s, alwaysLoad: true } });
    const { names, run } = await scriptStory(host);
    expect(names).toEqual(['mcp__other__echo', ...OWN]);
    const both = `return (await tools.s.echo({ message: "a" })) + (await tools.other.echo({ message: "b" }))`;
    expect((await run(both)).text).toBe('"ab"');
    const none = await scriptStory(host, { tools: 'plan', budget: 0 });
    expect(none.names).toEqual(['mcp__other__echo', ...OWN.slice(0, 3)]);
    expect(await none.run('return 1')).toMatchObject({ isError: true });
  });

  it('see declarations with the types of results', async () => {
    await using scope = new Scope();
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } } };
    const add = { name: 'add', description: 'Adds', outputSchema } satisfies JsonObject;
    const host = await givenHost(scope, { s: scriptedServer({ builtIns: [], tools: [add] }) });
    const { use } = await scriptStory(host);
    const { text } = await use('describe_tools', { names: ['s.add'] });
    expect(text.replaceAll(/\s+/g, ' ')).toContain('s.add(arguments: object): { sum?: number; }');
  });
});
