// QuickJS, compiled to WebAssembly: read and compiled once for each bound of memory, and shared by all threads.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { withMaximumMemory } from './bounded-memory.ts';

// The compiler's library for Node has no types for it.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/** The stack and the engine itself, and a quarter of the values for the gaps between them. */
const ENGINE_BYTES = 4 * 1024 * 1024;
const GAPS = 1.25;

const compiled = new Map<number, Promise<object>>();

export function compileEngine(memoryBytes: number): Promise<object> {
  let engine = compiled.get(memoryBytes);
  if (engine === undefined) {
    engine = readEngine().then((bytes) =>
      WebAssembly.compile(withMaximumMemory(bytes, memoryBytes * GAPS + ENGINE_BYTES)),
    );
    compiled.set(memoryBytes, engine);
  }
  return engine;
}

function readEngine(): Promise<Uint8Array> {
  return readFile(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'));
}
