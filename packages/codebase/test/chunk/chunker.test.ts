import { afterEach, describe, expect, it } from 'vitest';
import { codeOf } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { MOST_LENGTH } from '../../src/chunk/chunk.ts';
import { Chunker, type ChunkerSettings } from '../../src/chunk/chunker.ts';
import { SAMPLES } from './samples.ts';

const chunkers: Chunker[] = [];

describe('a chunker', () => {
  verifies('COD-05');
  afterEach(async () => {
    await Promise.all(chunkers.splice(0).map((chunker) => chunker.close()));
  });

  it('cuts files of all languages, many at once', async () => {
    const chunker = open({ threads: 2 });
    const files = await Promise.all(Object.values(SAMPLES).map((file) => chunker.chunk(file)));
    expect(files.map(({ language, how }) => [language, how])).toEqual(
      Object.keys(SAMPLES).map((language) => [language, 'syntax']),
    );
  });

  it('cuts a file by lines when parsing it kills the process, and continues with the others', async () => {
    const program = new URL('./fixtures/failing-worker.mjs', import.meta.url);
    const chunker = open({ threads: 1, program });
    const texts = ['function a() {}\n', 'function fatal() {}\n', 'function b() {}\n'];
    const files = await Promise.all(texts.map((text) => chunker.chunk({ path: 'a.js', text })));
    expect(files.map(({ how, chunks }) => [how, chunks.length])).toEqual([
      ['syntax', 1],
      ['lines', 1],
      ['syntax', 1],
    ]);
  });

  it('cuts a line of 50 MB into bounded pieces', async () => {
    const text = 'x'.repeat(50_000_000);
    const { how, chunks } = await open().chunk({ path: 'bundle.js', text });
    expect([how, chunks.length]).toEqual(['lines', Math.ceil(text.length / MOST_LENGTH)]);
    expect(chunks.at(-1)?.end).toBe(text.length);
  });

  it('stops waiting when its caller gives up', async () => {
    const chunker = open();
    const giveUp = new AbortController();
    const chunking = chunker.chunk(SAMPLES.go, giveUp.signal);
    giveUp.abort(new Error('no longer wanted'));
    await expect(chunking).rejects.toThrow('no longer wanted');
    expect((await chunker.chunk(SAMPLES.go)).how).toBe('syntax');
  });

  it('does nothing once it is closed', async () => {
    const chunker = open();
    await chunker.chunk(SAMPLES.go);
    await chunker.close();
    await chunker.close();
    await expect(chunker.chunk(SAMPLES.go)).rejects.toSatisfy(
      (thrown) => codeOf(thrown) === 'side-pool-closed',
    );
  });
});

function open(settings: ChunkerSettings = {}): Chunker {
  const chunker = new Chunker(settings);
  chunkers.push(chunker);
  return chunker;
}
