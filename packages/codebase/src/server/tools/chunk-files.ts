// `chunk_files`: the chunks of several files, each with its own outcome: a failure does not affect the other files.

import { z } from 'zod';
import { chunkData, chunkTextFile } from './chunk-text-file.ts';
import { defineTool, inputOf } from './tool.ts';
import { shownPath } from './shown-path.ts';

const MOST_FILES = 100;
/** The most chunks that one answer lists; of further files only the number of chunks is given. */
const MOST_LISTED = 2000;

interface Report {
  readonly path: string;
  readonly status: 'ok' | 'failed';
  readonly error?: string;
  readonly language?: string;
  readonly how?: 'syntax' | 'lines';
  readonly count?: number;
  /** Left out if the answer would be too long; `chunk_file` returns them. */
  readonly chunks?: readonly ReturnType<typeof chunkData>[];
}

export const chunkFiles = defineTool({
  name: 'chunk_files',
  title: 'Cut several files into chunks',
  description:
    'Outlines several files: which functions, classes and sections each holds, and where. One report per file. ' +
    'Example: {"paths": ["src/retry.ts", "src/pause.ts"]}.',
  input: inputOf({
    paths: z.array(z.string()).min(1).max(MOST_FILES).describe('Relative to the root'),
  }),
  async run({ paths }, { parts, signal, progress }) {
    const files: Report[] = [];
    let room = MOST_LISTED;
    for (const [done, path] of paths.entries()) {
      signal.throwIfAborted();
      progress.tell({ done, total: paths.length, message: path });
      const cut = await chunkTextFile(path, parts, signal);
      if (!cut.ok) {
        files.push({ path, status: 'failed', error: cut.error });
        continue;
      }
      const { language, how, chunks } = cut.value;
      const isListed = chunks.length <= room;
      if (isListed) room -= chunks.length;
      files.push({
        path,
        status: 'ok',
        language,
        how,
        count: chunks.length,
        ...(isListed ? { chunks: chunks.map(chunkData) } : {}),
      });
    }
    progress.tell({ done: paths.length, total: paths.length, message: 'done' });
    const ok = files.filter(({ status }) => status === 'ok').length;
    return {
      kind: 'done',
      text: files.map(reportText).join('\n'),
      data: { files, ok, failed: files.length - ok },
    };
  },
});

function reportText(file: Report): string {
  if (file.status === 'failed') return `failed: ${file.error ?? file.path}`;
  const head = `${shownPath(file.path)}: ${file.count ?? 0} chunks (${file.language ?? 'text'})`;
  const lines = (file.chunks ?? []).map((chunk) =>
    `  ${chunk.start_line}-${chunk.end_line} ${chunk.kind} ${chunk.symbol ?? ''}`.trimEnd(),
  );
  return [head, ...lines].join('\n');
}
