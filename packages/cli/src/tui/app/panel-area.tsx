// The panel that is open: the servers, or the keys.

import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import type { Screen } from '../state/index.ts';
import { McpPanel } from '../view/index.ts';

const HELP = [
  'Enter          send',
  'Shift-Enter    a new line (also Alt-Enter, Ctrl-J, or \\ at the end)',
  'Esc            stop what runs',
  'Ctrl-C         empty the prompt; twice: quit',
  'Ctrl-O         fold and unfold calls and thoughts',
  'Ctrl-R         search what was sent before',
  '/              commands and prompts',
  '@              files and resources',
];

interface PanelAreaProps {
  readonly screen: Screen;
  /** How many there are for it, with the empty one below. */
  readonly rows: number;
}

export function PanelArea({ screen, rows }: PanelAreaProps): ReactElement | null {
  const { panel, servers } = screen;
  const width = Math.max(1, screen.columns - 1);
  if (panel === undefined || screen.asked.length > 0) return null;
  if (panel.kind === 'help') {
    return (
      <Box flexDirection="column" marginBottom={1} flexShrink={0}>
        {HELP.slice(0, Math.max(1, rows - 1)).map((line) => (
          <Text key={line} wrap="truncate-end">
            {line}
          </Text>
        ))}
      </Box>
    );
  }
  const { selected, notice } = panel;
  return (
    <Box flexDirection="column" marginBottom={1} flexShrink={0}>
      <McpPanel servers={servers} {...{ selected, notice, width }} rows={rows - 1} />
    </Box>
  );
}
