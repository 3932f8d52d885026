// A key in a text that is not a prompt: all that edits, and nothing of history and completion.

import { compose, type Editor, newComposer } from '../input/index.ts';
import type { Key } from '../keys/index.ts';

export function fieldEdit(editor: Editor, key: Key, columns: number): Editor {
  // Folded, a paste could not be seen before it is sent.
  const typed: Key = key.kind === 'paste' ? { kind: 'text', text: key.text } : key;
  const composed = compose({ ...newComposer([]), editor }, typed, columns);
  return composed.kind === 'changed' && composed.composer.search === undefined
    ? composed.composer.editor
    : editor;
}
