// The difference of two texts, word by word. Lines are compared first, and words only within changed lines, so that the work
// grows with the changes. Texts with too little in common are shown as completely different. Pure.

import { diffArrays } from 'diff';

export interface TextPiece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Limits the steps of a comparison: about the product of its size and the number of differences. */
const MOST_WORK = 4_000_000;

export function textDiff(before: string, after: string): readonly TextPiece[] {
  if (before === after) return pieces('same', before);
  const byLine = compare(before.split(/(?<=\n)/), after.split(/(?<=\n)/));
  return joined(
    byLine.flatMap(({ removed, added, same }) =>
      same === '' && removed !== '' && added !== ''
        ? wordDiff(removed, added)
        : plain({ removed, added, same }),
    ),
  );
}

function wordDiff(before: string, after: string): readonly TextPiece[] {
  return compare(words(before), words(after)).flatMap(plain);
}

/** Splits a text into words of any script, runs of spaces, and single other characters. */
function words(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}

interface Hunk {
  readonly removed: string;
  readonly added: string;
  readonly same: string;
}

function compare(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const first = before.findIndex((token, index) => token !== after[index]);
  const start = first === -1 ? Math.min(before.length, after.length) : first;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const hunks = middle(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  return [
    { removed: '', added: '', same: before.slice(0, start).join('') },
    ...hunks,
    { removed: '', added: '', same: before.slice(before.length - end).join('') },
  ];
}

function middle(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const maxEditLength = Math.ceil(MOST_WORK / Math.max(1, before.length + after.length));
  const changes = diffArrays([...before], [...after], { maxEditLength });
  if (changes === undefined) return [{ removed: before.join(''), added: after.join(''), same: '' }];
  const hunks: Hunk[] = [];
  for (const { added, removed, value } of changes) {
    const text = value.join('');
    const last = hunks.at(-1);
    if (!added && !removed) hunks.push({ removed: '', added: '', same: text });
    else if (last === undefined || last.same !== '') {
      hunks.push({ removed: removed ? text : '', added: added ? text : '', same: '' });
    } else {
      hunks[hunks.length - 1] = {
        removed: last.removed + (removed ? text : ''),
        added: last.added + (added ? text : ''),
        same: '',
      };
    }
  }
  return hunks;
}

function plain({ removed, added, same }: Hunk): readonly TextPiece[] {
  return [...pieces('same', same), ...pieces('removed', removed), ...pieces('added', added)];
}

function pieces(kind: TextPiece['kind'], text: string): readonly TextPiece[] {
  return text === '' ? [] : [{ kind, text }];
}

function joined(all: readonly TextPiece[]): readonly TextPiece[] {
  const result: TextPiece[] = [];
  for (const piece of all) {
    const last = result.at(-1);
    if (last?.kind === piece.kind)
      result[result.length - 1] = { ...piece, text: last.text + piece.text };
    else result.push(piece);
  }
  return result;
}
