// A server's question, on the screen.

import type { ReactElement } from 'react';
import { Lines, useTheme } from './lines.tsx';
import { questionLines, type QuestionLook } from './question-lines.ts';

interface QuestionProps {
  readonly server: string;
  readonly answering: QuestionLook;
  readonly width: number;
  readonly rows?: number;
}

export function Question({ server, answering, width, rows }: QuestionProps): ReactElement {
  return <Lines lines={questionLines(server, answering, { width, rows, theme: useTheme() })} />;
}
