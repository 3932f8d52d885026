// `index_status`: the progress of indexing, the files that were left out and why, and the size on disk and in memory. On
// request it waits until the index is complete, and reports progress meanwhile.

import { abortable } from '@plugboard/base';
import { z } from 'zod';
import { INDEX_PHASES, type IndexPhase, type IndexProgress } from '../../indexing/index.ts';
import type { CodebaseParts, IndexStatus, RootStatus } from '../parts/codebase-parts.ts';
import { reportIndexing } from './progress.ts';
import { defineTool, inputOf } from './tool.ts';
import { shownPath } from './shown-path.ts';

const MOST_WAIT_SECONDS = 100;
const MOST_UNREAD = 20;

export const indexStatus = defineTool({
  name: 'index_status',
  title: 'State of the index',
  description:
    'Says which files are indexed and how far, what was left out and why, and the size on disk and in memory. ' +
    'Example: {"wait_seconds": 50} waits until the index is complete, and reports progress.',
  input: inputOf({
    wait_seconds: z
      .int()
      .min(0)
      .max(MOST_WAIT_SECONDS)
      .default(0)
      .describe('How long to wait for a complete index'),
  }),
  async run({ wait_seconds }, call) {
    const { parts, signal } = call;
    using _ = reportIndexing(call);
    if (wait_seconds > 0) await untilComplete(parts, wait_seconds * 1000, signal);
    const status = await parts.index.status();
    return { kind: 'done', text: statusText(status), data: statusData(status) };
  },
});

async function untilComplete(
  { index, clock }: Pick<CodebaseParts, 'index' | 'clock'>,
  mostMs: number,
  signal: AbortSignal,
): Promise<void> {
  await abortable(index.begin(), signal);
  let resolveEnd: () => void = () => {};
  const end = new Promise<void>((resolve) => {
    resolveEnd = resolve;
  });
  using _timer = clock.after(mostMs, resolveEnd);
  using _subscription = index.onProgress(({ phase }) => {
    if (isSettled(phase)) resolveEnd();
  });
  const { phase } = await index.status();
  if (!isSettled(phase)) await abortable(end, signal);
}

function isSettled(phase: IndexPhase): boolean {
  return INDEX_PHASES[phase].kind !== 'indexing';
}

const PHASE_WORDS: Readonly<Record<IndexPhase, string>> = {
  'not-begun': 'nothing is indexed yet: the first question that needs the index begins it',
  listing: 'the files are being listed',
  reading: 'files are being read',
  embedding: 'all files are known by words; vectors are being made',
  ready: 'complete, and kept up to date',
  following: 'complete; another process keeps it up to date',
  'root-gone': 'the root is gone; the index is as it was before',
  off: 'there is no index',
  closed: 'the index is closed',
};

function statusText(status: IndexStatus): string {
  const { leftOut } = status;
  const left = Object.entries(leftOut).flatMap(([reason, { count, examples }]) =>
    count === 0
      ? []
      : [`${count} ${REASONS[reason] ?? reason}, such as ${examples.map(shownPath).join(', ')}`],
  );
  return [
    ...status.roots.map(rootText),
    ...(status.roots.length === 1 ? [] : ['All of them:']),
    `Index: ${phaseText(status)}`,
    `Files: ${status.files}; chunks: ${status.chunks}, ${Math.floor(status.semanticCoverage * 100)} % with a vector; files with symbols: ${status.symbolFiles}`,
    `On disk: ${megabytes(status.bytes)}; memory of this process: ${megabytes(status.memoryBytes)}`,
    `Left out: files that an ignore file names, hidden ones, and those that look like secrets${left.length === 0 ? '' : `; without their text: ${left.join('; ')}`}`,
    ...(status.unread.length === 0
      ? []
      : [`Could not be read: ${status.unread.slice(0, MOST_UNREAD).map(shownPath).join(', ')}`]),
    ...status.notes.map((note) => `Note: ${note}`),
  ].join('\n');
}

function rootText({ name, path, files, ...progress }: RootStatus): string {
  return name === ''
    ? `Root: ${path}`
    : `Root ${name}: ${path}; ${files} files; ${phaseText(progress)}`;
}

function phaseText({ phase, done, total }: IndexProgress): string {
  const count = INDEX_PHASES[phase].countsSteps ? ` (${done} of ${total})` : '';
  return `${PHASE_WORDS[phase]}${count}`;
}

const REASONS: Readonly<Record<string, string>> = { tooLarge: 'too large', binary: 'binary' };

function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? 'on another machine' : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function rootData({ name, path, phase, done, total, files, chunks, ...shares }: RootStatus) {
  return {
    ...{ name, root: path, phase, done, total, files, chunks },
    read_share: shares.readShare,
    semantic_coverage: shares.semanticCoverage,
  };
}

function statusData(status: IndexStatus) {
  return {
    phase: status.phase,
    done: status.done,
    total: status.total,
    files: status.files,
    chunks: status.chunks,
    read_share: status.readShare,
    semantic_coverage: status.semanticCoverage,
    symbol_files: status.symbolFiles,
    ...(status.bytes === undefined ? {} : { bytes: status.bytes }),
    memory_bytes: status.memoryBytes,
    left_out: {
      too_large: { ...status.leftOut.tooLarge },
      binary: { ...status.leftOut.binary },
    },
    unread: [...status.unread],
    notes: [...status.notes],
    ...(status.roots.length === 1 ? {} : { roots: status.roots.map(rootData) }),
  };
}
