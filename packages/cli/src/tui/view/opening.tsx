// The first screen.

import type { ReactElement } from 'react';
import type { Opening as OpeningFacts } from '../../chat/index.ts';
import { Lines, useTheme } from './lines.tsx';
import { drawOpening } from './opening-lines.ts';

interface OpeningProps {
  readonly opening: OpeningFacts;
  readonly width: number;
}

export function Opening({ opening, width }: OpeningProps): ReactElement {
  return <Lines lines={drawOpening(opening, { width, theme: useTheme() })} />;
}
