import { Scope } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverOf } from '../cells.ts';
import { attackedGateway } from './attacked-gateway.ts';
import { answerIn, modernRequest, openStream, send } from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const ADA = { Authorization: 'Bearer token-of-ada' };
const BOB = { Authorization: 'Bearer token-of-bob' };
const tokens = new Map([
  ['token-of-ada', 'ada'],
  ['token-of-bob', 'bob'],
]);
const capabilities = { elicitation: { form: {} } };
const QUESTION = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const ARGUMENTS = { method: 'elicitation/create', params: QUESTION };
const ASK = { name: 'ask', arguments: ARGUMENTS };
const ANSWER = { action: 'accept', content: { name: 'Ada' } };

interface Asked {
  readonly inputRequests: Record<string, unknown>;
  readonly requestState: string;
}

interface Repetition {
  readonly at?: string;
  readonly headers?: Record<string, string>;
  readonly params?: Record<string, unknown>;
}

/** A call that requires input, and a function that repeats it. */
async function askedCall(era: 'legacy' | 'modern', clock = new ManualClock()) {
  const server = serverOf(era, { asking: true });
  const { url } = await attackedGateway(scope, {
    clock,
    host: { servers: { one: server, two: server } },
    address: { tokens },
  });
  const first = await send(
    `${url}/one`,
    modernRequest({ params: ASK, headers: ADA, capabilities }),
  );
  const { result } = answerIn(first) as { result: Asked };
  const inputResponses = Object.fromEntries(
    Object.keys(result.inputRequests).map((key) => [key, ANSWER]),
  );
  const state = result.requestState;
  const repetition = ({ at = '/one', headers = ADA, params = {} }: Repetition = {}) =>
    [
      `${url}${at}`,
      modernRequest({
        params: { ...ASK, requestState: state, inputResponses, ...params },
        headers,
        capabilities,
      }),
    ] as const;
  return {
    state,
    repetition,
    repeat: async (how?: Repetition) => {
      const answer = await send(...repetition(how));
      return { status: answer.status, body: answerIn(answer) };
    },
  };
}

const REFUSED = { status: 400, body: { error: { code: -32_602 } } };
const DONE = {
  status: 200,
  body: { result: { structuredContent: { answers: [{ result: ANSWER }] } } },
};

describe.each(['legacy', 'modern'] as const)(
  'the request state of a call to a %s server that asks',
  (era) => {
    verifies('GWY-01');

    it('is refused for another principal, endpoint, tool or arguments', async () => {
      const { repeat } = await askedCall(era);
      expect(await repeat({ headers: BOB })).toMatchObject(REFUSED);
      expect(await repeat({ at: '/two' })).toMatchObject(REFUSED);
      expect(await repeat({ params: { name: 'say' } })).toMatchObject(REFUSED);
      const other = { ...ARGUMENTS, times: 2 };
      expect(await repeat({ params: { arguments: other } })).toMatchObject(REFUSED);
      expect(await repeat()).toMatchObject(DONE);
    });

    it('is refused if it was changed or cut, or is anything else', async () => {
      const { state, repeat } = await askedCall(era);
      const bytes = Buffer.from(state, 'base64url');
      const changed = [0, 12, 28, bytes.length - 1].map((place) => {
        const copy = Buffer.from(bytes);
        copy[place] = (copy[place] ?? 0) ^ 1;
        return copy.toString('base64url');
      });
      const others = [
        '',
        'x',
        state.slice(0, -4),
        `${state}AAAA`,
        'A'.repeat(300_000),
        7,
        null,
        {},
      ];
      for (const requestState of [...changed, ...others]) {
        expect(await repeat({ params: { requestState } })).toMatchObject(REFUSED);
      }
      expect(await repeat()).toMatchObject(DONE);
    });

    it('is refused once it has expired', async () => {
      const clock = new ManualClock();
      const { repeat } = await askedCall(era, clock);
      await clock.advance(31 * 60_000);
      expect(await repeat()).toMatchObject(REFUSED);
    });
  },
);

describe('a call that waits for input', () => {
  verifies('GWY-01');

  it('cannot be repeated with the same state after it was answered', async () => {
    const { repeat } = await askedCall('legacy');
    expect(await repeat()).toMatchObject(DONE);
    expect(await repeat()).toMatchObject(REFUSED);
  });

  it('answers the last repetition, and ends the others', async () => {
    const { repetition, repeat } = await askedCall('legacy');
    const [url, request] = repetition({ params: { inputResponses: {} } });
    // Both repetitions have no responses, so they require input again.
    const [one, other] = await Promise.all([send(url, request), send(url, request)]);
    const statuses = [one.status, other.status];
    expect(statuses).toContain(200);
    expect(await repeat()).toMatchObject(DONE);
  });

  it('does not count as waiting while it runs', async () => {
    const { url } = await attackedGateway(scope, {
      host: { servers: { one: serverOf('modern') } },
    });
    const call = modernRequest({ params: { name: 'sleep', arguments: { ms: 100 } } });
    const answers = await Promise.all(Array.from({ length: 250 }, () => send(`${url}/one`, call)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('ends if its client disconnects during a repetition', async () => {
    const { repetition, repeat } = await askedCall('legacy');
    const [url, request] = repetition({ params: { inputResponses: {} } });
    (await openStream(url, request)).destroy();
    // The question is still open: disconnecting after a reply ends nothing.
    expect(await repeat()).toMatchObject(DONE);
  });
});

describe('calls of a modern client that wait for input', () => {
  verifies('GWY-01');

  it('do not block other calls to the server, although each occupies a process', async () => {
    const { url } = await attackedGateway(scope, {
      host: { servers: { one: serverOf('legacy', { asking: true }) } },
      address: { tokens },
    });
    const call = async (params: Record<string, unknown>): Promise<unknown> =>
      answerIn(await send(`${url}/one`, modernRequest({ params, headers: ADA, capabilities })));
    const waiting = await Promise.all(Array.from({ length: 8 }, () => call(ASK)));
    for (const each of waiting) expect(each).toHaveProperty('result.requestState');
    expect(await call({ name: 'echo', arguments: { message: 'hi' } })).toMatchObject({
      result: { content: [{ type: 'text', text: 'hi' }] },
    });
  });
});
