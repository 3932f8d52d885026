// The two engines: onnxruntime-node, which is fast and may be missing, and onnxruntime-web, which is WebAssembly and
// runs everywhere. Both have one API, so only how they are loaded differs.

import type * as OnnxWeb from 'onnxruntime-web';
import type { Engine, EngineLoader, EngineOptions, HiddenStates } from './engine.ts';

type Onnx = typeof OnnxWeb;

export const ENGINE_NAMES = ['node', 'wasm'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

export const ENGINES: Readonly<Record<EngineName, EngineLoader>> = {
  node: { name: 'onnxruntime-node', load: loadNative },
  wasm: { name: 'onnxruntime-web', load: loadWebAssembly },
};

/** Not a literal for the compiler, which must do without the package: it is optional. */
const NATIVE: string = 'onnxruntime-node';

async function loadNative({ model, threads }: EngineOptions): Promise<Engine> {
  const loaded = (await import(NATIVE)) as Onnx & { readonly default?: Onnx };
  const onnx = loaded.default ?? loaded;
  const session = await onnx.InferenceSession.create(model, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // Threads that spin while they wait take time from whatever else runs on the machine.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  return engineOf(onnx, session, `onnxruntime-node ${versionOf(onnx, 'node')}, ${count(threads)}`);
}

async function loadWebAssembly({ model, threads }: EngineOptions): Promise<Engine> {
  const onnx = await import('onnxruntime-web');
  onnx.env.wasm.numThreads = threads;
  const session = await onnx.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    logSeverityLevel: 3,
  });
  const version = versionOf(onnx, 'web');
  return engineOf(onnx, session, `onnxruntime-web ${version} (WebAssembly), ${count(threads)}`);
}

function versionOf(onnx: Onnx, part: 'node' | 'web'): string {
  return onnx.env.versions[part] ?? onnx.env.versions.common;
}

function count(threads: number): string {
  return threads === 1 ? '1 thread' : `${threads} threads`;
}

function engineOf(onnx: Onnx, session: OnnxWeb.InferenceSession, runtime: string): Engine {
  const [name = 'last_hidden_state'] = session.outputNames;
  return {
    runtime,
    async run(rows): Promise<HiddenStates> {
      const { ids, mask, length } = padded(rows);
      const shape = [rows.length, length];
      const answer = await session.run({
        input_ids: new onnx.Tensor('int64', ids, shape),
        attention_mask: new onnx.Tensor('int64', mask, shape),
        token_type_ids: new onnx.Tensor('int64', new BigInt64Array(ids.length), shape),
      });
      return { values: answer[name]?.data as Float32Array, length };
    },
  };
}

/** Rows of one length, with zeros at the end, as the 64-bit numbers that the model takes. */
function padded(rows: readonly Int32Array[]): {
  readonly ids: BigInt64Array;
  readonly mask: BigInt64Array;
  readonly length: number;
} {
  const length = rows.reduce((longest, row) => Math.max(longest, row.length), 0);
  const ids = new BigInt64Array(rows.length * length);
  const mask = new BigInt64Array(rows.length * length);
  // The lower halves: an id is small, and making a bigint of each is slow. Node runs on little-endian only.
  const idHalves = new Int32Array(ids.buffer);
  const maskHalves = new Int32Array(mask.buffer);
  rows.forEach((row, index) => {
    for (let at = 0; at < row.length; at += 1) {
      const half = 2 * (index * length + at);
      idHalves[half] = row[at] ?? 0;
      maskHalves[half] = 1;
    }
  });
  return { ids, mask, length };
}
