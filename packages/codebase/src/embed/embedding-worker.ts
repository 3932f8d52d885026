// The program of the process that runs the embedded model, at low priority. It says first whether it can work, then
// takes jobs until it is stopped; messages are looked for between any two batches.

import { sideProgram, type SideProgram } from '../platform/index.ts';
import { EmbeddingQueue } from './embedding-queue.ts';
import { openFirstEngine } from './engine.ts';
import { type ModelProblem, readVerified } from './model-files.ts';
import { ENGINES } from './onnx-engines.ts';
import { readTokenizer } from './tokenizer.ts';
import type { FromWorker, ToWorker, WorkerReport, WorkerStart } from './worker-messages.ts';

interface OpenedWorker {
  /** Absent when the report says that it cannot work. */
  readonly queue: EmbeddingQueue | undefined;
  readonly report: WorkerReport;
}

async function openQueue({
  folder,
  manifest,
  engines,
  threads,
}: WorkerStart): Promise<OpenedWorker> {
  const model = await readVerified(folder, manifest.model);
  if (!model.ok) return noModel(model.error);
  const vocabulary = await readVerified(folder, manifest.tokenizer);
  if (!vocabulary.ok) return noModel(vocabulary.error);
  const tokenizer = readTokenizer(new TextDecoder().decode(vocabulary.value));
  if (!tokenizer.ok) {
    return noModel(`${manifest.tokenizer.name} of the model cannot be used: ${tokenizer.error}`);
  }
  const loaders = engines.map((name) => ENGINES[name]);
  const opened = await openFirstEngine(loaders, { model: model.value, threads });
  const { failed } = opened;
  if (opened.kind === 'none') return { queue: undefined, report: { kind: 'no-engine', failed } };
  const { engine } = opened;
  const queue = new EmbeddingQueue({
    engine,
    tokenizer: tokenizer.value,
    dimensions: manifest.dimensions,
    maxTokens: { query: manifest.queryTokens, document: manifest.documentTokens },
  });
  return { queue, report: { kind: 'ready', runtime: engine.runtime, failed } };
}

function noModel(problem: ModelProblem): OpenedWorker {
  return { queue: undefined, report: { kind: 'no-model', problem } };
}

async function work(queue: EmbeddingQueue, side: SideProgram): Promise<never> {
  for (;;) {
    if (queue.isIdle) hear(queue, await side.next());
    for (const message of await side.arrived()) hear(queue, message);
    const jobs = await queue.step();
    if (jobs.length === 0) continue;
    void side.post({ kind: 'settled', jobs } satisfies FromWorker);
  }
}

function hear(queue: EmbeddingQueue, message: unknown): void {
  const heard = message as ToWorker;
  if (heard.kind === 'embed') queue.add(heard.job);
  else queue.cancel(heard.id);
}

// Before an engine starts threads of its own, which inherit its priority.
const side = sideProgram();
const { queue, report } = await openQueue((await side.next()) as WorkerStart);
void side.post(report);
if (queue !== undefined) await work(queue, side);
