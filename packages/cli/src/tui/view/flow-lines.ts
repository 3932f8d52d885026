// The data flow part of an approval: what was read before that makes the call risky, and which pieces of its arguments were
// copied from what was read. Texts of servers are quoted and cut.

import type { TakenText } from '@plugboard/host';
import { visible } from '../../print/visible.ts';
import type { PendingApproval } from '../../chat/index.ts';
import { type Canvas, type Line, span, wrapSpans } from './spans.ts';

const MAX_TAKEN = 6;
const MAX_QUOTE = 120;

export function flowLines({ flow, taken = [] }: PendingApproval, canvas: Canvas): readonly Line[] {
  const foreign = taken.filter(({ from }) => from.labels.includes('foreign'));
  const shown = flow === undefined ? foreign : taken;
  return [
    ...(flow === undefined ? [] : reasonLines(flow, canvas)),
    ...(shown.length === 0 ? [] : takenLines(shown, canvas)),
  ];
}

function reasonLines(
  { private: own, foreign }: NonNullable<PendingApproval['flow']>,
  canvas: Canvas,
): readonly Line[] {
  const head = 'It would send something out, and this conversation has read:';
  const rows = [
    { what: 'private data', source: own },
    { what: 'foreign text', source: foreign },
  ];
  return [
    ...wrapSpans([span(head, { role: 'warning', isBold: true })], canvas.width),
    ...rows.flatMap(({ what, source }) =>
      wrapSpans(
        [
          span(`  ${what}: `, { role: 'warning' }),
          span(`${visible(source.server)}/${visible(source.tool)} `),
          span(quoted(source.excerpt), { role: 'dim' }),
        ],
        canvas.width,
      ),
    ),
  ];
}

function takenLines(taken: readonly TakenText[], canvas: Canvas): readonly Line[] {
  const rest = taken.length - MAX_TAKEN;
  return [
    ...wrapSpans(
      [span('Taken word for word from what was read:', { role: 'warning' })],
      canvas.width,
    ),
    ...taken.slice(0, MAX_TAKEN).flatMap(({ path, text, from }) =>
      wrapSpans(
        [
          span(`  ${visible(path.slice(1))}: `, { role: 'dim' }),
          span(quoted(text)),
          span(` from ${visible(from.server)}/${visible(from.tool)} (${from.labels.join(', ')})`, {
            role: 'dim',
          }),
        ],
        canvas.width,
      ),
    ),
    ...(rest > 0 ? [[span(`  and ${rest} more`, { role: 'dim' })]] : []),
  ];
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  return visible(`"${line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE - 1)}…`}"`);
}
