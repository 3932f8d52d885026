// A text of a server or a client on the page: text and never markup, apart from what is beside it, with what is not
// seen made visible.

import type { JSX } from 'preact';
import { piecesOf } from './visible.ts';

/** Longer ones are cut: a browser that lays out megabytes of one name answers no key. */
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
