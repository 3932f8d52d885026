// The question that waits for the person, as lines; one at a time, and how many more there are.

import type { AskedAboutCall, Screen } from '../state/index.ts';
import { approvalLines } from '../view/approval-lines.ts';
import { questionLines } from '../view/question-lines.ts';
import { toAnsi } from '../view/spans.ts';
import type { Theme } from '../view/theme.ts';

/** No more of them than there are rows, if that can be. */
export function askedLines(
  screen: Screen,
  { rows, theme }: { readonly rows: number; readonly theme: Theme },
): readonly string[] {
  const [asked, ...others] = screen.asked;
  if (asked === undefined) return [];
  const width = Math.max(1, screen.columns - 1);
  const more = others.length > 0 ? [`  ${others.length} more to answer after this`] : [];
  const own = rows - more.length;
  const lines =
    asked.kind === 'approval'
      ? approvalLines(asked.approval, { ...approvalState(asked), rows: own }, { width, theme })
      : questionLines(asked.request.server, asked.answering, { width, theme, rows: own });
  return [...lines.map((line) => toAnsi(line, theme)), ...more];
}

function approvalState({ selected, offset, typing }: AskedAboutCall) {
  const { text, cursor } = typing?.editor ?? {};
  return {
    selected,
    offset,
    editing: typing?.what === 'arguments' ? text : undefined,
    reason: typing?.what === 'reason' ? text : undefined,
    cursor,
    problem: typing?.problem,
  };
}
