// The question whether a call may run, on the screen.

import type { ReactElement } from 'react';
import type { AskedApproval } from '../../chat/index.ts';
import { approvalLines, type ApprovalState } from './approval-lines.ts';
import { Lines, useTheme } from './lines.tsx';

interface ApprovalProps extends ApprovalState {
  readonly approval: AskedApproval;
  readonly width: number;
}

export function Approval({ approval, width, ...state }: ApprovalProps): ReactElement {
  return <Lines lines={approvalLines(approval, state, { width, theme: useTheme() })} />;
}
