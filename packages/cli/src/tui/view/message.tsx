// What was said, on the screen.

import { Box } from 'ink';
import type { UserPart } from '@plugboard/agent';
import { memo, type ReactElement } from 'react';
import { Lines, useTheme } from './lines.tsx';
import { Markdown } from './markdown.tsx';
import { reasoningLines, textRoom, userLines } from './message-lines.ts';

interface UserLineProps {
  readonly parts: readonly UserPart[];
  readonly width: number;
}

export function UserLine({ parts, width }: UserLineProps): ReactElement {
  return <Lines lines={userLines(parts, { width, theme: useTheme() })} />;
}

interface AssistantTextProps {
  readonly text: string;
  readonly width: number;
  readonly isStreaming?: boolean;
}

export const AssistantText = memo(function AssistantText(props: AssistantTextProps): ReactElement {
  const { text, width, isStreaming = false } = props;
  const { margin, columns } = textRoom(width);
  return (
    <Box marginLeft={margin} flexShrink={0}>
      <Markdown text={text} width={columns} isStreaming={isStreaming} />
    </Box>
  );
});

interface ReasoningProps {
  readonly text: string;
  readonly isFolded: boolean;
  readonly width: number;
}

export function Reasoning({ text, isFolded, width }: ReasoningProps): ReactElement {
  return <Lines lines={reasoningLines(text, { isFolded, width, theme: useTheme() })} />;
}
