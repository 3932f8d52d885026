// `write_file`: creates or replaces a file with the given content.

import { definedFields, ok, toolFailure } from '@plugboard/base';
import { z } from 'zod';
import { changeFile } from './change-file.ts';
import { bytesOf, lineCount, decodeFileText } from './file-text.ts';
import { type LineDiff, lineDiff } from './line-diff.ts';
import { defineTool, inputOf } from './tool.ts';

export const WRITE_INPUT = inputOf({
  path: z.string().describe('Inside the working directory, such as "src/main.ts"'),
  content: z.string().describe('All of the new content'),
});

interface WriteResult {
  readonly path: string;
  readonly kind: 'created' | 'replaced' | 'unchanged';
  readonly bytes: number;
  readonly diff: LineDiff;
}

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Write a file',
  description:
    'Creates a file, with the folders above it, or replaces all that is in it. To change a part of a file use edit_file.',
  reach: 'this-folder',
  effect: 'changes',
  input: WRITE_INPUT,
  async run({ path, content }, { parts, signal }) {
    const bytes = bytesOf({ text: content, bom: '' });
    if (bytes.length > parts.limits.fileBytes) {
      return toolFailure(
        `the content has ${bytes.length} bytes, and at most ${parts.limits.fileBytes} are written at once`,
      );
    }
    const written = await changeFile<WriteResult>(
      {
        path,
        missing: 'make',
        decide: (now, real) => {
          const before = now === undefined ? '' : (decodeFileText(now.bytes)?.text ?? '');
          const isSame = now !== undefined && Buffer.compare(now.bytes, bytes) === 0;
          const replaced = isSame ? 'unchanged' : 'replaced';
          const outcome = {
            path: real,
            kind: now === undefined ? 'created' : replaced,
            bytes: bytes.length,
            diff: lineDiff(before, content),
          } as const;
          return ok({ bytes, outcome });
        },
      },
      parts,
      signal,
    );
    if (!written.ok) return toolFailure(written.error);
    return {
      kind: 'done',
      text: resultText(written.value, content),
      data: resultData(written.value),
    };
  },
});

function resultData({ path, kind, bytes, diff }: WriteResult) {
  return {
    path,
    kind,
    bytes,
    lines_added: diff.added,
    lines_removed: diff.removed,
    ...definedFields({ diff: diff.text }),
  };
}

function resultText({ path, kind, diff }: WriteResult, content: string): string {
  switch (kind) {
    case 'created':
      return `Created ${path} with ${lines(lineCount(content))}.`;
    case 'replaced':
      return `Replaced ${path}: ${lines(diff.added)} added, ${diff.removed} removed.`;
    case 'unchanged':
      return `${path} has this very content already; nothing was written.`;
    default:
      throw new RangeError(`no such outcome: ${JSON.stringify(kind satisfies never)}`);
  }
}

function lines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}
