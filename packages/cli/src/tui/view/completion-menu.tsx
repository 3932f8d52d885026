// What could stand at the cursor, on the screen.

import type { ReactElement } from 'react';
import type { Choice } from '../../chat/index.ts';
import { completionLines } from './completion-lines.ts';
import { Lines, useTheme } from './lines.tsx';

interface CompletionMenuProps {
  readonly choices: readonly Choice[];
  readonly selected: number;
  readonly width: number;
}

export function CompletionMenu({ choices, selected, width }: CompletionMenuProps): ReactElement {
  return <Lines lines={completionLines(choices, selected, { width, theme: useTheme() })} />;
}
