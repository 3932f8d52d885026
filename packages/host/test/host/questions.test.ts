// Questions of servers, from the wire to the answering program and back, over every transport and in both eras.

import { Scope } from '@plugboard/base';
import { inProcessServer, ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { ElicitationAnswer, ElicitationRequest } from '../../src/inbound/index.ts';
import { givenHost } from './given-host.ts';
import { askingCells, askingHost, form, page, someAskingCells } from './asking-cells.ts';

const colours = {
  name: { type: 'string', title: 'Your \u001B[31mname\u202E', minLength: 2 },
  age: { type: 'integer', minimum: 0, default: 30 },
  sure: { type: 'boolean', default: false },
  size: {
    type: 'string',
    oneOf: [
      { const: 's', title: 'Small' },
      { const: 'l', title: 'Large' },
    ],
  },
  old: { type: 'string', enum: ['a', 'b'], enumNames: ['Ah', 'Be'] },
  tags: { type: 'array', items: { type: 'string', enum: ['x', 'y', 'z'] }, maxItems: 2 },
};

function answering(answer: ElicitationAnswer) {
  const asked: ElicitationRequest[] = [];
  return {
    asked,
    elicit: (request: ElicitationRequest): Promise<ElicitationAnswer> => {
      asked.push(request);
      return Promise.resolve(answer);
    },
  };
}

describe.each(someAskingCells)('an elicitation of a server over $name', (cell) => {
  it('shows its form under the name of the server, and returns the answer', async () => {
    verifies('INB-01');
    await using scope = new Scope();
    const content = { name: 'me', size: 'l', old: 'b', tags: ['x', 'z'] };
    const { asked, elicit } = answering({ kind: 'accept', content });
    const { ask, declined } = await askingHost(cell, scope, { elicit });
    expect(await ask([form('Who\u0007 are you?', colours, ['name'])])).toEqual([
      { action: 'accept', content: { ...content, age: 30, sure: false } },
    ]);
    expect(declined).toEqual([]);
    const facts = { description: undefined, isRequired: false, default: undefined };
    expect(asked).toEqual([
      {
        server: 'asker',
        signal: expect.any(AbortSignal) as AbortSignal,
        question: {
          kind: 'form',
          message: 'Who are you?',
          soundsSecret: false,
          fields: [
            {
              ...facts,
              ...{ kind: 'text', name: 'name', title: 'Your name', isRequired: true },
              ...{ format: undefined, minLength: 2, maxLength: undefined, soundsSecret: false },
            },
            {
              ...facts,
              ...{ kind: 'number', name: 'age', title: 'age', isInteger: true, default: 30 },
              ...{ minimum: 0, maximum: undefined },
            },
            { ...facts, kind: 'boolean', name: 'sure', title: 'sure', default: false },
            {
              ...facts,
              ...{ kind: 'choice', name: 'size', title: 'size' },
              options: [
                { value: 's', title: 'Small' },
                { value: 'l', title: 'Large' },
              ],
            },
            {
              ...facts,
              ...{ kind: 'choice', name: 'old', title: 'old' },
              options: [
                { value: 'a', title: 'Ah' },
                { value: 'b', title: 'Be' },
              ],
            },
            {
              ...facts,
              ...{ kind: 'choices', name: 'tags', title: 'tags', minItems: undefined, maxItems: 2 },
              options: ['x', 'y', 'z'].map((value) => ({ value, title: value })),
            },
          ],
        },
      },
    ]);
  });

  it.each(['decline', 'cancel'] as const)('is answered: %s', async (kind) => {
    verifies('INB-01');
    await using scope = new Scope();
    const { ask, declined } = await askingHost(cell, scope, answering({ kind }));
    expect(await ask([form('Who?', {})])).toEqual([{ action: kind }]);
    expect(declined).toEqual([]);
  });

  it('is declined if no person can answer, and listeners are notified', async () => {
    verifies('INB-01');
    await using scope = new Scope();
    const nobody = answering({ kind: 'decline', because: 'nobody-to-ask' });
    const { ask, declined } = await askingHost(cell, scope, nobody);
    expect(await ask([form('Who\nare you?', {})])).toEqual([{ action: 'decline' }]);
    expect(declined).toEqual([
      {
        kind: 'question-declined',
        server: 'asker',
        question: 'form',
        message: 'Who are you?',
        reason: { kind: 'nobody-to-ask' },
      },
    ]);
  });

  it('never returns fields that its form does not contain', async () => {
    verifies('INB-01');
    await using scope = new Scope();
    const content = { name: 'x', age: -1, stray: true };
    const { ask, declined } = await askingHost(cell, scope, answering({ kind: 'accept', content }));
    expect(await ask([form('Who?', colours, ['name'])])).toEqual([{ action: 'decline' }]);
    expect(declined).toMatchObject([
      {
        reason: {
          kind: 'invalid-answer',
          issues: [
            { field: 'stray', problem: { kind: 'unknown-field' } },
            { field: 'name', problem: { kind: 'too-short', limit: 2 } },
            { field: 'age', problem: { kind: 'too-small', limit: 0 } },
          ],
        },
      },
    ]);
  });

  it('may be repeated ten times, one at a time, and is blocked after that', async () => {
    await using scope = new Scope();
    let open = 0;
    let most = 0;
    let count = 0;
    const elicit = async (): Promise<ElicitationAnswer> => {
      count += 1;
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      return { kind: 'accept' };
    };
    const clock = new ManualClock();
    const { ask, declined } = await askingHost(cell, scope, { elicit, clock });
    const told = await ask(Array.from({ length: 1000 }, () => form('Now?', {})));
    const actions = (told as { action: string }[]).map(({ action }) => action);
    expect({ count, most }).toEqual({ count: 10, most: 1 });
    expect(actions.filter((action) => action === 'decline')).toHaveLength(990);
    expect(declined).toMatchObject([{ server: 'asker', reason: { kind: 'too-many' } }]);
    expect(await ask([form('Still?', {})])).toEqual([{ action: 'decline' }]);
    await clock.advance(60_000);
    expect(await ask([form('And now?', {})])).toEqual([{ action: 'accept', content: {} }]);
  });

  it('shows its page completely, with its host, and returns the consent', async () => {
    verifies('INB-02');
    await using scope = new Scope();
    const { asked, elicit } = answering({ kind: 'accept' });
    const { ask } = await askingHost(cell, scope, { elicit });
    const url = 'https://xn--pypal-4ve.example/login?next=a%20b#top';
    expect(await ask([page(cell.era, url)])).toEqual([{ action: 'accept' }]);
    expect(asked.map(({ question }) => question)).toEqual([
      {
        kind: 'url',
        message: 'Please sign in there',
        url,
        host: 'xn--pypal-4ve.example',
        readsAs: 'pаypal.example',
        warnings: ['punycode'],
        waitsFor: cell.era === 'legacy' ? 'consent' : 'done',
        finished: expect.any(AbortSignal) as AbortSignal,
      },
    ]);
  });

  it('cannot ask to open a misleading address', async () => {
    verifies('INB-02');
    await using scope = new Scope();
    const { asked, elicit } = answering({ kind: 'accept' });
    const { ask, declined } = await askingHost(cell, scope, { elicit });
    const bad = [
      ['http://bank.example/', 'scheme'],
      ['javascript:alert(1)', 'scheme'],
      ['https://bank.example@evil.example/', 'credentials'],
      [`https://evil.example/${'a'.repeat(9000)}`, 'too-long'],
    ] as const;
    for (const [url] of bad) {
      expect(await ask([page(cell.era, url)])).toEqual([{ action: 'decline' }]);
    }
    expect(asked).toEqual([]);
    expect(declined).toMatchObject(
      bad.map(([, why]) => ({ question: 'url', reason: { kind: 'bad-url', why } })),
    );
  });

  it('returns the answer as hooks change it, if it fits the form, and nothing that they block', async () => {
    verifies('INB-05');
    await using scope = new Scope();
    const hook = (script: string) => ({
      hooks: {
        elicitationResult: [{ command: [process.execPath, '-e', `${READ} ${script}`] }],
      },
      ...answering({ kind: 'accept', content: { name: 'me' } }),
    });
    const question = form('Who?', { name: { type: 'string', maxLength: 12 } });
    const told = async (script: string) => {
      const { ask, declined } = await askingHost(cell, scope, hook(script));
      return { told: await ask([question]), declined };
    };
    const renamed = `say({ answer: { kind: 'accept', content: { name: input.answer.content.name + ' of ' + input.server } } })`;
    expect(await told(renamed)).toEqual({
      told: [{ action: 'accept', content: { name: 'me of asker' } }],
      declined: [],
    });
    expect(await told(`say({ decision: 'block', reason: 'private' })`)).toMatchObject({
      told: [{ action: 'decline' }],
      declined: [{ reason: { kind: 'hook', detail: 'private' } }],
    });
    const tooLong = `say({ answer: { kind: 'accept', content: { name: 'far too long a name' } } })`;
    expect(await told(tooLong)).toMatchObject({
      told: [{ action: 'decline' }],
      declined: [{ reason: { kind: 'invalid-answer' } }],
    });
  });
});

const READ = `const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const say = (value) => console.log(JSON.stringify(value));`;

const legacyCells = askingCells.filter(({ era }) => era === 'legacy');

describe.each(someAskingCells)('a call over $name', (cell) => {
  it('does not time out while a person thinks, but does when the server is silent', async () => {
    await using scope = new Scope();
    const clock = new ManualClock();
    const elicit = async (): Promise<ElicitationAnswer> => {
      await clock.advance(50 * 60_000);
      return { kind: 'accept' };
    };
    const { ask, host } = await askingHost(cell, scope, { elicit, clock });
    expect(await ask([form('Now?', {})])).toEqual([{ action: 'accept', content: {} }]);
    const outcomes: unknown[] = [];
    void host.call({ server: 'asker', tool: 'never' }, {}).then((ended) => outcomes.push(ended));
    while (outcomes.length === 0) await clock.advance(60_000);
    const timeout = { kind: 'timeout', server: 'asker', tool: 'never', ms: 5 * 60_000 };
    expect(outcomes).toEqual([timeout]);
  });
});

describe.each(legacyCells)('the pages of a legacy server over $name', (cell) => {
  const url = 'https://login.example/';

  it('are visited if it demands them before a call, and the call is repeated', async () => {
    verifies('INB-02');
    await using scope = new Scope();
    const { asked, elicit } = answering({ kind: 'accept' });
    const { call } = await askingHost(cell, scope, { elicit });
    const pages = [page('legacy', url, 'a'), page('legacy', `${url}b`, 'b')];
    expect(await call(pages, { refusals: 2 })).toMatchObject({
      kind: 'result',
      parts: [{ kind: 'text', text: 'served' }],
    });
    expect(asked.map(({ question }) => question)).toMatchObject(
      [url, `${url}b`, url, `${url}b`].map((one) => ({ kind: 'url', url: one, waitsFor: 'done' })),
    );
  });

  it('are not visited forever, nor if the person declines', async () => {
    verifies('INB-02');
    await using scope = new Scope();
    const willing = answering({ kind: 'accept' });
    const first = await askingHost(cell, scope, willing);
    expect(await first.call([page('legacy', url)], { refusals: 100 })).toMatchObject({
      kind: 'protocol-error',
      failure: { kind: 'rpc', code: -32042 },
    });
    expect(willing.asked).toHaveLength(3);
    const unwilling = answering({ kind: 'decline' });
    const second = await askingHost(cell, scope, unwilling);
    const pages = [page('legacy', url, 'a'), page('legacy', url, 'b')];
    expect(await second.call(pages, { refusals: 1 })).toMatchObject({
      kind: 'protocol-error',
      failure: { kind: 'rpc', code: -32042 },
    });
    expect(unwilling.asked).toHaveLength(1);
  });

  it('are finished when the server says so, by the id that it gave', async () => {
    verifies('INB-02');
    await using scope = new Scope();
    const elicit = ({ question }: ElicitationRequest): Promise<ElicitationAnswer> =>
      new Promise((resolve) => {
        if (question.kind !== 'url') throw new Error('no page');
        const accept = (): void => resolve({ kind: 'accept' });
        if (question.finished.aborted) accept();
        else question.finished.addEventListener('abort', accept);
      });
    const { ask } = await askingHost(cell, scope, { elicit });
    const asked = ask([page('legacy', url, 'mine')], { finishes: 'mine' });
    expect(await asked).toEqual([{ action: 'accept' }]);
  });

  it('are not finished by another id', async () => {
    await using scope = new Scope();
    const signals: AbortSignal[] = [];
    const elicit = ({ question }: ElicitationRequest): Promise<ElicitationAnswer> => {
      if (question.kind === 'url') signals.push(question.finished);
      return Promise.resolve({ kind: 'accept' });
    };
    const { ask } = await askingHost(cell, scope, { elicit });
    await ask([page('legacy', url, 'mine')], { finishes: 'another' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

describe('a withdrawn elicitation', () => {
  it('is no longer shown to the person, and the call continues', async () => {
    verifies('CAL-04');
    await using scope = new Scope();
    const server = await inProcessServer();
    const giveUp = new AbortController();
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
    server.registerTool('ask', { description: 'Asks' }, async () => {
      const text = await server.server
        .elicitInput({ message: 'Who?', requestedSchema }, { signal: giveUp.signal })
        .then(() => 'answered')
        .catch(() => 'taken back');
      return { content: [{ type: 'text', text }] };
    });
    let onWithdrawn = (): void => {};
    const withdrawn = new Promise<void>((resolve) => {
      onWithdrawn = resolve;
    });
    const elicit = ({ signal }: ElicitationRequest): Promise<ElicitationAnswer> => {
      giveUp.abort();
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          onWithdrawn();
          resolve({ kind: 'cancel' });
        });
      });
    };
    const host = await givenHost(scope, {}, { inProcess: { mine: server }, elicit });
    expect(await host.call({ server: 'mine', tool: 'ask' }, {})).toMatchObject({
      kind: 'result',
      parts: [{ kind: 'text', text: 'taken back' }],
    });
    await withdrawn;
  });
});
