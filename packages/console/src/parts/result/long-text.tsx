// A text of any length: shows the first part, and more on request.

import { cutPoint } from '@plugboard/base';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { count } from '../../text/numbers.ts';
import { Text } from '../../text/text.tsx';

/** The maximum that `Text` shows. */
const CHUNK = 20_000;
const MORE_CHUNKS = 5;

export function LongText({ of: text }: { readonly of: string }): JSX.Element {
  const chunks = useSignal(1);
  const pieces = chunked(text, chunks.value);
  const shown = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return (
    <>
      {pieces.map((piece, index) => (
        <Text key={index} of={piece} />
      ))}
      {shown < text.length && (
        <>
          {'\n'}
          <button
            type="button"
            class="button"
            onClick={() => {
              chunks.value += MORE_CHUNKS;
            }}
          >
            Show more ({count(text.length - shown)} characters)
          </button>
        </>
      )}
    </>
  );
}

/** Never splits a surrogate pair. */
function chunked(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (from < text.length && pieces.length < most) {
    const end = cutPoint(text, from + CHUNK);
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
}
