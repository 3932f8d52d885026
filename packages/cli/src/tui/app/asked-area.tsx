// The question that waits for the person; one at a time, and how many more there are.

import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import type { AskedAboutCall, Screen } from '../state/index.ts';
import { approvalLines } from '../view/approval-lines.ts';
import { Lines, type Theme } from '../view/index.ts';
import { questionLines } from '../view/question-lines.ts';
import type { Line } from '../view/spans.ts';

/** No more of them than there are rows, if that can be. */
export function askedLines(
  screen: Screen,
  { rows, theme }: { readonly rows: number; readonly theme: Theme },
): readonly Line[] {
  const [asked] = screen.asked;
  if (asked === undefined) return [];
  const width = Math.max(1, screen.columns - 1);
  const own = rows - (screen.asked.length > 1 ? 1 : 0);
  return asked.kind === 'approval'
    ? approvalLines(asked.approval, { ...approvalState(asked), rows: own }, { width, theme })
    : questionLines(asked.request.server, asked.answering, { width, theme, rows: own });
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

interface AskedAreaProps {
  readonly lines: readonly Line[];
  readonly others: number;
}

export function AskedArea({ lines, others }: AskedAreaProps): ReactElement | null {
  if (lines.length === 0) return null;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Lines lines={lines} />
      {others > 0 ? <Text>{`  ${others} more to answer after this`}</Text> : null}
    </Box>
  );
}
