import { expect, test } from 'vitest';
import { withMaximumMemory } from '../src/bounded-memory.ts';
import { readEngine } from '../src/engine.ts';

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(
    module: object,
    imports: object,
  ): Promise<{ readonly exports: { readonly memory: Memory } }>;
};

const PAGE = 64 * 1024;

test('the memory of an engine grows to its maximum and no further', async () => {
  const engine = await WebAssembly.compile(withMaximumMemory(await readEngine(), 200 * PAGE));
  const anyImport = new Proxy({}, { get: () => () => 0 });
  const imports = { env: anyImport, wasi_snapshot_preview1: anyImport };
  const { memory } = (await WebAssembly.instantiate(engine, imports)).exports;
  memory.grow(200 - memory.buffer.byteLength / PAGE);
  expect(memory.buffer.byteLength).toBe(200 * PAGE);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

test('a module without a memory of its own is refused', () => {
  const empty = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  expect(() => withMaximumMemory(empty, PAGE)).toThrow('no memory');
});
