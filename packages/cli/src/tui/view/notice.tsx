// Something to be told, on the screen.

import type { ReactElement } from 'react';
import type { Notice } from '../../chat/index.ts';
import { Lines, useTheme } from './lines.tsx';
import { noticeLines } from './notice-lines.ts';

interface NoticeLineProps {
  readonly notice: Notice;
  readonly width: number;
}

export function NoticeLine({ notice, width }: NoticeLineProps): ReactElement {
  return <Lines lines={noticeLines(notice, { width, theme: useTheme() })} />;
}
