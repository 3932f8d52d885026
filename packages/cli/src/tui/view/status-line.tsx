// The line below all else, on the screen.

import type { ReactElement } from 'react';
import { Lines, useTheme } from './lines.tsx';
import { type Status, statusWords } from './status-words.ts';

interface StatusLineProps extends Status {
  readonly width: number;
}

export function StatusLine({ width, ...status }: StatusLineProps): ReactElement {
  return <Lines lines={[statusWords(status, { width, theme: useTheme() })]} />;
}
