// The port to what runs a model, and the order in which engines are tried. An engine counts as there when it has run
// the model once.

import { messageOf } from '@plugboard/base';

/** The hidden states of a batch: `rows` × `length` × dimensions. */
export interface HiddenStates {
  readonly values: Float32Array;
  /** Tokens of each row, with padding. */
  readonly length: number;
}

export interface Engine {
  /** Its name and version, and how many threads it uses. */
  readonly runtime: string;
  run(rows: readonly Int32Array[]): Promise<HiddenStates>;
}

export interface EngineOptions {
  readonly model: Uint8Array;
  readonly threads: number;
}

export interface EngineLoader {
  readonly name: string;
  load(options: EngineOptions): Promise<Engine>;
}

export interface FailedEngine {
  readonly engine: string;
  readonly message: string;
}

export type OpenedEngine =
  | { readonly kind: 'open'; readonly engine: Engine; readonly failed: readonly FailedEngine[] }
  | { readonly kind: 'none'; readonly failed: readonly FailedEngine[] };

const LONGEST_MESSAGE = 300;

/** The first engine that works, with what kept those before it from doing so. */
export async function openFirstEngine(
  loaders: readonly EngineLoader[],
  options: EngineOptions,
): Promise<OpenedEngine> {
  const failed: FailedEngine[] = [];
  for (const loader of loaders) {
    try {
      const engine = await loader.load(options);
      // What loads may still lack something that the model needs.
      await engine.run([new Int32Array(2)]);
      return { kind: 'open', engine, failed };
    } catch (thrown) {
      failed.push({ engine: loader.name, message: messageOf(thrown).slice(0, LONGEST_MESSAGE) });
    }
  }
  return { kind: 'none', failed };
}
