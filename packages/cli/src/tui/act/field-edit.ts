// A key in a text field outside the prompt: it edits, without history and completion.

import { compose, type Editor, newComposer } from '../input/index.ts';
import type { Key } from '../keys/index.ts';

export function fieldEdit(editor: Editor, key: Key, columns: number): Editor {
  // A folded paste would be sent without having been shown.
  const typed: Key = key.kind === 'paste' ? { kind: 'text', text: key.text } : key;
  const composed = compose({ ...newComposer([]), editor }, typed, columns);
  return composed.kind === 'changed' && composed.composer.search === undefined
    ? composed.composer.editor
    : editor;
}
