import { never } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ResourceWatches, type WatchPorts } from '../../src/protocol/resource-watches.ts';

type StreamEnd = 'local' | 'graceful' | 'remote';
type OpenStream = Awaited<ReturnType<WatchPorts['client']['listen']>>;

const options = { signal: never, timeoutMs: 1000 };
const BEGUN = { ok: true, value: undefined };

/** A modern server whose streams a test opens, refuses and ends. */
class Streams {
  readonly clock = new ManualClock();
  readonly wanted: (readonly string[])[] = [];
  readonly open = new Set<number>();
  /** The resources whose changes it does not report. */
  deaf = new Set<string>();
  refuses = false;
  say: (uri: string) => void = () => {};
  end: (how: StreamEnd) => void = () => {};
  readonly watches: ResourceWatches;

  constructor() {
    this.watches = new ResourceWatches({
      client: {
        listen: ({ resourceSubscriptions = [] }, { signal = never } = {}) =>
          this.#listen(resourceSubscriptions, signal),
        setNotificationHandler: (_: string, tell: unknown) => {
          const update = tell as (notification: { params: { uri: string } }) => void;
          this.say = (uri) => update({ params: { uri } });
        },
      },
      clock: this.clock,
      ending: never,
      era: () => 'modern',
      request: () => Promise.reject(new Error('not in this era')),
      failureOf: () => ({ kind: 'unexpected', message: 'refused' }),
    });
  }

  async #listen(uris: readonly string[], signal: AbortSignal): Promise<OpenStream> {
    await Promise.resolve();
    const number = this.wanted.push(uris);
    if (this.refuses) throw new Error('refused');
    this.open.add(number);
    const closed = new Promise<StreamEnd>((resolve) => {
      this.end = (how) => {
        this.open.delete(number);
        resolve(how);
      };
    });
    const { end } = this;
    signal.addEventListener('abort', () => end('local'), { once: true });
    return {
      honoredFilter: { resourceSubscriptions: uris.filter((uri) => !this.deaf.has(uri)) },
      closed,
      close: () => Promise.resolve(end('local')),
    };
  }
}

describe('the stream of resource changes', () => {
  verifies('INB-06');

  it('covers all resources, is reopened once for many changes, and is closed without watchers', async () => {
    const streams = new Streams();
    const uris = Array.from({ length: 100 }, (_, index) => `memo://${index}`);
    const watch = (uri: string) => streams.watches.watch(uri, () => {}, options);
    const first = watch('memo://first');
    expect(await first.begun).toEqual(BEGUN);
    const all = uris.map(watch);
    expect(await Promise.all(all.map(({ begun }) => begun))).toEqual(uris.map(() => BEGUN));
    expect(streams.wanted.map((wanted) => wanted.length)).toEqual([1, 101]);
    expect([...streams.open]).toEqual([2]);
    for (const watching of [first, ...all]) watching[Symbol.dispose]();
    await streams.clock.advance(60_000);
    expect([...streams.open]).toEqual([]);
  });

  it('is closed again if its watchers leave while it is being opened', async () => {
    const streams = new Streams();
    const watching = streams.watches.watch('memo://a', () => {}, options);
    watching[Symbol.dispose]();
    await watching.begun;
    await streams.clock.advance(60_000);
    expect([...streams.open]).toEqual([]);
  });

  it('keeps the previous stream when a new one is refused, and reports that to the new watcher', async () => {
    const streams = new Streams();
    const heard: string[] = [];
    const watch = (uri: string) => streams.watches.watch(uri, () => heard.push(uri), options);
    await watch('memo://a').begun;
    streams.refuses = true;
    expect(await watch('memo://b').begun).toMatchObject({ ok: false });
    expect([...streams.open]).toEqual([1]);
    streams.say('memo://a');
    streams.say('memo://b');
    expect(heard).toEqual(['memo://a']);
    streams.refuses = false;
    streams.deaf.add('memo://c');
    expect(await watch('memo://c').begun).toMatchObject({
      ok: false,
      error: { kind: 'invalid-result' },
    });
  });

  it('is reopened after an interruption, which counts as a change of all resources', async () => {
    const streams = new Streams();
    const heard: string[] = [];
    for (const uri of ['memo://a', 'memo://b']) {
      await streams.watches.watch(uri, () => heard.push(uri), options).begun;
    }
    streams.end('remote');
    await streams.clock.advance(1000);
    expect(heard).toEqual(['memo://a', 'memo://b']);
  });

  it('has a maximum number of resources, and ignores invalid addresses', async () => {
    const streams = new Streams();
    const heard: string[] = [];
    const watch = (uri: string) => streams.watches.watch(uri, () => heard.push(uri), options);
    const all = Array.from({ length: 1001 }, (_, index) => watch(`memo://${index}`));
    const begun = await Promise.all(all.map((watching) => watching.begun));
    expect(begun.filter(({ ok }) => !ok)).toHaveLength(1);
    const started = performance.now();
    streams.say(`memo://1${'/'.repeat(10_000_000)}`);
    streams.say('memo://1\n');
    streams.say(`memo://1/${'a/'.repeat(4000)}`);
    expect([heard, performance.now() - started < 1000]).toEqual([[], true]);
    streams.say('memo://1/part/of/it');
    expect(heard).toEqual(['memo://1']);
  });
});
