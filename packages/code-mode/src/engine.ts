// QuickJS as WebAssembly: read and compiled once for each memory limit, and shared by all threads.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { withMaximumMemory } from './bounded-memory.ts';

// The types of Node do not include WebAssembly.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/** The stack and the engine itself; and a quarter on top of the values for fragmentation. */
const ENGINE_BYTES = 4 * 1024 * 1024;
const FRAGMENTATION = 1.25;

const compiled = new Map<number, Promise<object>>();

export function compileEngine(memoryBytes: number): Promise<object> {
  let engine = compiled.get(memoryBytes);
  if (engine === undefined) {
    engine = readEngine().then((bytes) =>
      WebAssembly.compile(withMaximumMemory(bytes, memoryBytes * FRAGMENTATION + ENGINE_BYTES)),
    );
    compiled.set(memoryBytes, engine);
  }
  return engine;
}

function readEngine(): Promise<Uint8Array> {
  return readFile(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'));
}
