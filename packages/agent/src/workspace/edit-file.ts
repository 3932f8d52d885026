// `edit_file`: replaces an exact piece of a file by another one.

import { definedFields, err, ok, toolFailure } from '@plugboard/base';
import { z } from 'zod';
import { applyEdit, type EditResult } from './apply-edit.ts';
import { changeFile } from './change-file.ts';
import { bytesOf, decodeFileText } from './file-text.ts';
import { type LineDiff, lineDiff } from './line-diff.ts';
import { pathMessage } from './path-problem.ts';
import { defineTool, inputOf } from './tool.ts';

export const EDIT_INPUT = inputOf({
  path: z.string().describe('Inside the working directory, such as "src/main.ts"'),
  old_text: z.string().describe('The piece to replace, exactly as it stands in the file'),
  new_text: z.string().describe('What stands there afterwards'),
  replace_all: z.boolean().default(false).describe('Wherever it stands, not only in one place'),
});

interface EditOutcome {
  readonly path: string;
  readonly edited: EditResult;
  readonly diff: LineDiff;
}

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit a file',
  description:
    'Replaces one exact piece of a text file by another. old_text must be in the file exactly once, with its spaces and ' +
    'line breaks; give enough lines around the change to make it so, or set replace_all.',
  reach: 'this-folder',
  effect: 'changes',
  input: EDIT_INPUT,
  async run({ path, old_text: oldText, new_text: newText, replace_all: isEverywhere }, call) {
    const changed = await changeFile<EditOutcome>(
      {
        path,
        missing: 'refuse',
        decide: (now, real) => {
          const file = now === undefined ? undefined : decodeFileText(now.bytes);
          if (file === undefined) return err(pathMessage('not-text', path));
          const occurrences = isEverywhere ? 'all' : 'one';
          const edited = applyEdit(file.text, { oldText, newText, occurrences });
          if (!edited.ok) return err(`${JSON.stringify(real)}: ${edited.error}`);
          const diff = lineDiff(file.text, edited.value.after);
          const bytes = bytesOf({ text: edited.value.after, bom: file.bom });
          return ok({ bytes, outcome: { path: real, edited: edited.value, diff } });
        },
      },
      call.parts,
      call.signal,
    );
    if (!changed.ok) return toolFailure(changed.error);
    return { kind: 'done', text: changeText(changed.value), data: changeData(changed.value) };
  },
});

const MOST_LINES = 100;

function changeData({ path, edited, diff }: EditOutcome) {
  return {
    path,
    replacements: edited.lines.length,
    lines: edited.lines.slice(0, MOST_LINES),
    lines_added: diff.added,
    lines_removed: diff.removed,
    ...definedFields({ diff: diff.text }),
  };
}

function changeText({ path, edited: { lines }, diff }: EditOutcome): string {
  const where = lines.length === 1 ? `at line ${lines[0]}` : `in ${lines.length} places`;
  return `Edited ${path} ${where}: ${diff.added} lines added, ${diff.removed} removed.`;
}
