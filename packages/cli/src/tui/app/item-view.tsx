// One item of the conversation, by its kind.

import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import type { TurnEnd } from '@plugboard/agent';
import { failureWords } from '../../print/failure-words.ts';
import { sanitise } from '../../print/sanitise.ts';
import type { Item, Screen } from '../state/index.ts';
import { AssistantText, Call, NoticeLine, Opening, Reasoning, UserLine } from '../view/index.ts';

export interface ItemProps {
  readonly item: Item;
  /** Calls stand close together; what follows them does not. */
  readonly hasGapAbove: boolean;
  readonly screen: Screen;
  readonly now: number;
}

export function ItemView({ item, hasGapAbove, screen, now }: ItemProps): ReactElement | null {
  const content = contentOf(item, screen, now);
  if (content === null) return null;
  return (
    <Box
      flexDirection="column"
      marginTop={hasGapAbove ? 1 : 0}
      marginBottom={item.kind === 'call' ? 0 : 1}
    >
      {content}
    </Box>
  );
}

function contentOf(item: Item, screen: Screen, now: number): ReactElement | null {
  const width = Math.max(1, screen.columns - 1);
  switch (item.kind) {
    case 'opening':
      return <Opening opening={screen.opening} width={width} />;
    case 'user':
      return <UserLine parts={item.parts} width={width} />;
    case 'text':
      return <AssistantText text={item.text} width={width} isStreaming={item.isOpen} />;
    case 'reasoning':
      return <Reasoning text={item.text} isFolded={screen.isFolded} width={width} />;
    case 'call':
      return <Call call={item.call} isFolded={screen.isFolded} width={width} now={now} />;
    case 'notice':
      return <NoticeLine notice={item.notice} width={width} />;
    case 'shown':
      return <Text>{sanitise(item.text)}</Text>;
    case 'turn-end':
      return endOf(item.end, width);
    default:
      return item satisfies never;
  }
}

function endOf(end: TurnEnd, width: number): ReactElement | null {
  switch (end.kind) {
    case 'done':
      return null;
    case 'cancelled':
      return <NoticeLine notice={{ level: 'info', text: 'Stopped.' }} width={width} />;
    case 'failed': {
      const { message: text, fix } = failureWords(end.failure, 'chat');
      return <NoticeLine notice={{ level: 'error', text, fix }} width={width} />;
    }
    case 'too-many-steps': {
      const text = `Stopped after ${end.steps} steps; say "go on" to let it continue.`;
      return <NoticeLine notice={{ level: 'warning', text }} width={width} />;
    }
    case 'over-budget': {
      const text = `Stopped: $${end.spent.toFixed(2)} of $${end.budget.toFixed(2)} are spent.`;
      const fix = 'start again with a larger --budget and --continue';
      return <NoticeLine notice={{ level: 'warning', text, fix }} width={width} />;
    }
    default:
      return end satisfies never;
  }
}
