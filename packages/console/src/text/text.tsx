// Shows a text of a server or client: never as markup, isolated from the writing direction around it, and with invisible
// characters made visible.

import type { JSX } from 'preact';
import { piecesOf } from './visible.ts';

/** Longer texts are cut: a browser that lays out megabytes of text does not respond to keys. */
const MOST_SHOWN = 20_000;

export function Text({ of: text }: { readonly of: string }): JSX.Element {
  const isCut = text.length > MOST_SHOWN;
  const pieces = piecesOf(isCut ? text.slice(0, MOST_SHOWN) : text);
  return (
    <bdi>
      {pieces.map((piece) =>
        piece.kind === 'text' ? (
          piece.text
        ) : (
          <span class="hidden-character" title={piece.name}>
            {piece.code}
          </span>
        ),
      )}
      {isCut && <span class="hidden-character">… {text.length - MOST_SHOWN} more characters</span>}
    </bdi>
  );
}
