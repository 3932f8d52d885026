// A notice as lines: a sign for its level, the text, and what to do about it.

import type { Notice } from '../../chat/index.ts';
import { clean } from './clean.ts';
import { type Canvas, indented, type Line, span, wrapSpans } from './spans.ts';
import type { Role, Symbols } from './theme.ts';

const SIGNS: Readonly<
  Record<Notice['level'], { readonly role: Role; readonly symbol: 'info' | 'warning' | 'failed' }>
> = {
  info: { role: 'dim', symbol: 'info' },
  warning: { role: 'warning', symbol: 'warning' },
  error: { role: 'bad', symbol: 'failed' },
} satisfies Record<string, { role: Role; symbol: keyof Symbols }>;

export function noticeLines(
  { level, text, fix }: Notice,
  { width, theme }: Canvas,
): readonly Line[] {
  const { role, symbol } = SIGNS[level];
  const room = width - 2;
  const words = wrapSpans([span(clean(text).trim(), level === 'info' ? { role } : {})], room);
  const fixes =
    fix === undefined
      ? []
      : wrapSpans(
          [span('fix: ', { role: 'dim' }), span(clean(fix).trim(), { role: 'accent' })],
          room,
        );
  return [
    ...indented(words, span(`${theme.symbols[symbol]} `, { role })),
    ...indented(fixes, span('  ')),
  ];
}
