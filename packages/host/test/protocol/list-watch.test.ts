import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type ListWatchPorts, watchListStream } from '../../src/protocol/list-watch.ts';

type StreamEnd = 'local' | 'graceful' | 'remote';

/** Streams that end when the test says so. */
class Streams {
  readonly clock = new ManualClock();
  readonly opened: number[] = [];
  gaps = 0;
  refuses = false;
  end: (how: StreamEnd) => void = () => {};

  get ports(): ListWatchPorts {
    return {
      clock: this.clock,
      random: () => 1,
      onGap: () => void (this.gaps += 1),
      listen: () => {
        this.opened.push(this.clock.elapsed());
        if (this.refuses) return Promise.reject(new Error('refused'));
        const closed = new Promise<StreamEnd>((resolve) => {
          this.end = resolve;
        });
        return Promise.resolve({ closed, close: () => Promise.resolve(this.end('local')) });
      },
    };
  }
}

describe('the stream of list changes', () => {
  verifies('CON-09');

  it('is reopened after an interruption, and reports that changes may have been missed', async () => {
    const streams = new Streams();
    const stop = new AbortController();
    const watching = watchListStream(streams.ports, stop.signal);
    await streams.clock.advance(60_000);
    expect([streams.opened.length, streams.gaps]).toEqual([1, 0]);
    streams.end('remote');
    await streams.clock.advance(1000);
    expect([streams.opened.length, streams.gaps]).toEqual([2, 1]);
    stop.abort();
    await watching;
    expect(streams.clock.pending).toBe(0);
  });

  it('is reopened with growing pauses if the server refuses', async () => {
    const streams = new Streams();
    streams.refuses = true;
    const stop = new AbortController();
    const watching = watchListStream(streams.ports, stop.signal);
    await streams.clock.advance(100_000);
    const pauses = streams.opened.slice(1).map((at, index) => at - (streams.opened[index] ?? 0));
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(streams.gaps).toBe(0);
    stop.abort();
    await watching;
  });

  it('restarts with the shortest pause after a stream that lasted', async () => {
    const streams = new Streams();
    const stop = new AbortController();
    const watching = watchListStream(streams.ports, stop.signal);
    for (let drop = 0; drop < 3; drop += 1) {
      await streams.clock.advance(20_000);
      streams.end('remote');
      await streams.clock.advance(1000);
      expect(streams.opened).toHaveLength(drop + 2);
    }
    stop.abort();
    await watching;
  });

  it('is closed when no watcher is left', async () => {
    const streams = new Streams();
    const stop = new AbortController();
    const watching = watchListStream(streams.ports, stop.signal);
    await streams.clock.advance(0);
    stop.abort();
    await watching;
    expect([streams.opened.length, streams.clock.pending]).toEqual([1, 0]);
  });
});
