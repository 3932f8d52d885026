// A call on the screen.

import { memo, type ReactElement } from 'react';
import { callLines } from './call-lines.ts';
import type { CallView } from './call-view.ts';
import { Lines, useTheme } from './lines.tsx';

interface CallProps {
  readonly call: CallView;
  readonly isFolded: boolean;
  readonly width: number;
  /** In milliseconds; it turns the spinner, so it need not change once the call has ended. */
  readonly now: number;
}

export const Call = memo(function Call({ call, isFolded, width, now }: CallProps): ReactElement {
  return <Lines lines={callLines(call, { isFolded, width, now, theme: useTheme() })} />;
});
