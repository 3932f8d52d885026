import { type JsonObject, Scope } from '@plugboard/base';
import { createHost } from '@plugboard/host';
import { ManualClock, tempFolder, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../../host/src/platform/index.ts';
import type { Exchange, Parked } from '../../src/client/index.ts';
import { ModernUpstreams } from '../../src/session/modern-upstreams.ts';

let scope: Scope;
let clock: ManualClock;
let upstreams: ModernUpstreams;
beforeEach(async () => {
  scope = new Scope();
  const home = scope.use(await tempFolder());
  const { paths, ...rest } = hostEnvironment();
  const environment = { ...rest, cwd: home.path, paths: { ...paths, state: home.path } };
  const host = scope.use(await createHost({ files: 'none', environment }));
  clock = new ManualClock();
  upstreams = scope.use(new ModernUpstreams(host, clock));
});
afterEach(() => scope.close());

/** A request of a client that supports questions of legacy servers. */
class Request {
  readonly #gone = new AbortController();
  #end: () => void = () => {};
  #begin: () => void = () => {};
  readonly begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  readonly exchange: { -readonly [Key in keyof Exchange]: Exchange[Key] };
  isBegun = false;
  readonly over: Promise<'done' | undefined>;
  /** Its connection. */
  upstream: object | undefined;

  constructor(
    id: number,
    logLevel?: string,
    { clientInfo = {}, principal = 'ada' }: { clientInfo?: JsonObject; principal?: string } = {},
  ) {
    this.exchange = {
      id: `${id}`,
      client: {
        era: 'modern',
        principal,
        owner: principal,
        clientInfo,
        capabilities: { elicitation: {} },
      },
      progressToken: undefined,
      logLevel,
      signal: this.#gone.signal,
      notify: () => {},
      ask: () => Promise.resolve({ result: {} }),
    };
    this.over = upstreams.use('one', this.exchange, async (upstream) => {
      this.isBegun = true;
      this.upstream = upstream;
      this.#begin();
      await new Promise<void>((resolve) => {
        this.#end = resolve;
      });
      return 'done' as const;
    });
  }

  end(): void {
    this.#end();
  }

  cancel(): void {
    this.#gone.abort();
  }

  park(since: number): void {
    const giveUp = (): void => {
      this.exchange.parked = undefined;
      this.cancel();
      this.end();
    };
    this.exchange.parked = { since, giveUp } satisfies Parked;
    upstreams.onPark();
  }
}

async function requests(count: number): Promise<readonly Request[]> {
  const made = Array.from({ length: count }, (_, index) => new Request(index));
  await settled();
  return made;
}

/** Waits until no work is left; nothing here depends on real time. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function begunIn(made: readonly Request[]): readonly number[] {
  return made.flatMap(({ isBegun }, index) => (isBegun ? [index] : []));
}

describe('connections for requests of one modern client to a legacy server', () => {
  verifies('GWY-01');

  it('are limited to eight, and further requests wait in order of arrival', async () => {
    const made = await requests(11);
    expect(begunIn(made)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    made[3]?.end();
    await settled();
    expect(begunIn(made)).toContain(8);
    expect(begunIn(made)).not.toContain(9);
    for (const one of made) one.end();
    await settled();
    for (const one of made) one.end();
    expect(await Promise.all(made.map(({ over }) => over))).toEqual(made.map(() => 'done'));
  });

  it('are not awaited by a cancelled request, which takes no turn from another', async () => {
    const made = await requests(10);
    made[8]?.cancel();
    expect(await made[8]?.over).toBeUndefined();
    made[0]?.end();
    await settled();
    expect(begunIn(made)).toContain(9);
    for (const one of made) one.end();
    await Promise.all(made.map(({ over }) => over));
  });

  it('pass on the turn of a request that is cancelled when it is called', async () => {
    const made = await requests(10);
    made[0]?.end();
    await made[0]?.over;
    made[8]?.cancel();
    await settled();
    for (const one of made) one.end();
    await settled();
    for (const one of made) one.end();
    expect(await made[9]?.over).toBe('done');
    await Promise.all(made.map(({ over }) => over));
  });

  it('do not include those that wait for their client, up to a limit: then the longest wait is given up', async () => {
    const made = await requests(8);
    const parked = [...made];
    made.forEach((one, index) => one.park(100 - index));
    for (let more = 0; more < 2; more += 1) {
      const further = await requests(8);
      expect(begunIn(further)).toHaveLength(8);
      further.forEach((one, index) => one.park(200 + index));
      parked.push(...further);
    }
    const [last] = await requests(1);
    await last?.begun;
    const isGivenUp = parked.map(({ exchange }) => exchange.parked === undefined);
    expect(isGivenUp.indexOf(true)).toBe(7);
    expect(isGivenUp.filter(Boolean)).toHaveLength(1);
    for (const one of [...parked, ...(last === undefined ? [] : [last])]) one.end();
    await Promise.all(parked.map(({ over }) => over));
  });
});

describe('connections for requests of one principal to a legacy server, each with another client name', () => {
  verifies('GWY-01');
  const MOST = 64;

  function named(number: number): Request {
    return new Request(number, undefined, {
      clientInfo: { name: `client ${number}`, version: '1' },
    });
  }

  async function connectionOf(number: number): Promise<object | undefined> {
    const made = named(number);
    await made.begun;
    await clock.advance(1);
    made.end();
    await made.over;
    return made.upstream;
  }

  it('are limited to 64, and one more replaces the least recently used one', async () => {
    const first: (object | undefined)[] = [];
    for (let number = 0; number < MOST; number += 1) first.push(await connectionOf(number));
    expect(await connectionOf(0)).toBe(first[0]);
    await connectionOf(MOST);
    expect(await connectionOf(0)).toBe(first[0]);
    expect(await connectionOf(2)).toBe(first[2]);
    expect(await connectionOf(1)).not.toBe(first[1]);
    // The timers of replaced connections end nothing else.
    await clock.advance(4 * 60_000);
    const kept = await connectionOf(0);
    await clock.advance(2 * 60_000);
    expect(await connectionOf(0)).toBe(kept);
  });

  it('make requests wait for their turn while all of them work', async () => {
    const working = Array.from({ length: MOST }, (_, number) => named(number));
    await settled();
    expect(begunIn(working)).toHaveLength(MOST);
    const [next, cancelled, last] = [named(MOST), named(MOST + 1), named(MOST + 2)];
    await settled();
    expect(begunIn([next, cancelled, last])).toEqual([]);
    cancelled.cancel();
    expect(await cancelled.over).toBeUndefined();
    for (const one of working.slice(0, 2)) one.end();
    await Promise.all([next.begun, last.begun]);
    for (const one of [...working, next, last]) one.end();
    await Promise.all([...working, next, last].map(({ over }) => over));
  });
});

describe('connections for requests of any client to a modern server', () => {
  verifies('GWY-01');

  it('are a single one for all', async () => {
    upstreams.learn('one', 'modern');
    const made = await requests(30);
    expect(begunIn(made)).toHaveLength(30);
    expect(new Set(made.map(({ upstream }) => upstream)).size).toBe(1);
    for (const one of made) one.end();
    await Promise.all(made.map(({ over }) => over));
  });

  it('serve one request alone if it requests logs, eight at a time, and block no other request', async () => {
    upstreams.learn('one', 'modern');
    const logging = Array.from({ length: 9 }, (_, index) => new Request(index, 'debug'));
    await settled();
    expect(begunIn(logging)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const others = await requests(3);
    expect(begunIn(others)).toEqual([0, 1, 2]);
    const alone = logging.flatMap(({ upstream }) => upstream ?? []);
    expect(new Set(alone).size).toBe(8);
    expect(new Set(others.map(({ upstream }) => upstream)).size).toBe(1);
    expect(alone).not.toContain(others[0]?.upstream);
    for (const one of others) one.end();
    await Promise.all(others.map(({ over }) => over));
    // Their former connection does not count as a ninth one.
    expect(begunIn(logging)).not.toContain(8);
    for (const one of logging) one.end();
    await settled();
    for (const one of logging) one.end();
    await Promise.all(logging.map(({ over }) => over));
  });

  it('are available although another principal requests logs', async () => {
    upstreams.learn('one', 'modern');
    const made = Array.from({ length: 9 }, (_, index) => new Request(index, 'debug'));
    const other = new Request(9, 'debug', { principal: 'bob' });
    await settled();
    expect(begunIn(made)).toHaveLength(8);
    expect(other.isBegun).toBe(true);
    for (const one of [...made, other]) one.end();
    await settled();
    made[8]?.end();
    await Promise.all([...made, other].map(({ over }) => over));
  });

  it('are closed after five minutes without use', async () => {
    upstreams.learn('one', 'modern');
    const connectionOf = async (): Promise<object | undefined> => {
      const [made] = await requests(1);
      made?.end();
      await made?.over;
      return made?.upstream;
    };
    const first = await connectionOf();
    await clock.advance(4 * 60_000);
    expect(await connectionOf()).toBe(first);
    await clock.advance(5 * 60_000);
    expect(await connectionOf()).not.toBe(first);
  });
});
