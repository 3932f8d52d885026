// The panel of servers, on the screen.

import type { ReactElement } from 'react';
import type { ServerRow } from '../../chat/index.ts';
import { Lines, useTheme } from './lines.tsx';
import { mcpPanelLines, type PanelState } from './mcp-panel-lines.ts';

interface McpPanelProps extends PanelState {
  readonly servers: readonly ServerRow[];
  readonly width: number;
}

export function McpPanel({ servers, width, ...state }: McpPanelProps): ReactElement {
  return <Lines lines={mcpPanelLines(servers, state, { width, theme: useTheme() })} />;
}
