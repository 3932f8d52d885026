// Markdown on the screen.

import { type ReactElement, useMemo } from 'react';
import { Printed, useTheme } from './lines.tsx';
import { renderMarkdown } from './render-markdown.ts';

export interface MarkdownProps {
  readonly text: string;
  readonly width: number;
  /** More of it is to come. */
  readonly isStreaming: boolean;
}

export function Markdown({ text, width, isStreaming }: MarkdownProps): ReactElement {
  const theme = useTheme();
  const drawn = useMemo(
    () => renderMarkdown(text, { width, theme, isStreaming }),
    [text, width, theme, isStreaming],
  );
  return <Printed text={drawn} />;
}
