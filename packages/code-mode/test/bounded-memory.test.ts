import { expect, test } from 'vitest';
import { withMaximumMemory } from '../src/bounded-memory.ts';
import { compileEngine } from '../src/engine.ts';

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
declare const WebAssembly: {
  instantiate(
    module: object,
    imports: object,
  ): Promise<{ readonly exports: { readonly memory: Memory } }>;
};

const PAGE = 64 * 1024;

test('the memory of an engine grows only up to its maximum', async () => {
  // The maximum is the limit of a script plus a quarter and 4 MB.
  const engine = await compileEngine(128 * PAGE);
  const most = 160 + 64;
  const anyImport = new Proxy({}, { get: () => () => 0 });
  const imports = { env: anyImport, wasi_snapshot_preview1: anyImport };
  const { memory } = (await WebAssembly.instantiate(engine, imports)).exports;
  memory.grow(most - memory.buffer.byteLength / PAGE);
  expect(memory.buffer.byteLength).toBe(most * PAGE);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

test('a module without its own memory is refused', () => {
  const empty = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  expect(() => withMaximumMemory(empty, PAGE)).toThrow('no memory');
});
