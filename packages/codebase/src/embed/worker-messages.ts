// What an embedder and its thread say to each other. Both are ours and of one version, so nothing is checked.

import type { FailedEngine } from './engine.ts';
import type { Job, SettledJob } from './embedding-queue.ts';
import type { ModelManifest, ModelProblem } from './model-files.ts';
import type { EngineName } from './onnx-engines.ts';

export interface WorkerStart {
  readonly folder: string;
  readonly manifest: ModelManifest;
  readonly engines: readonly EngineName[];
  readonly threads: number;
}

export type ToWorker =
  | { readonly kind: 'embed'; readonly job: Job }
  | { readonly kind: 'cancel'; readonly id: number };

/** The first message of a thread: whether it can work, and with what. */
export type WorkerReport =
  | { readonly kind: 'ready'; readonly runtime: string; readonly failed: readonly FailedEngine[] }
  | { readonly kind: 'no-engine'; readonly failed: readonly FailedEngine[] }
  | { readonly kind: 'no-model'; readonly problem: ModelProblem };

export type FromWorker =
  | WorkerReport
  | { readonly kind: 'settled'; readonly jobs: readonly SettledJob[] };
