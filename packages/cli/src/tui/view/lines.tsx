// Lines that were fitted to the width, put on the screen as they are; and the theme that everything is drawn in.

import { Box, Text } from 'ink';
import { createContext, type ReactElement, useContext } from 'react';
import { type Line, toAnsi } from './spans.ts';
import { DEFAULT_THEME, type Theme } from './theme.ts';

const ThemeContext = createContext<Theme>(DEFAULT_THEME);

export const ThemeProvider = ThemeContext.Provider;

export function useTheme(): Theme {
  return useContext(ThemeContext);
}

export function Lines({ lines }: { readonly lines: readonly Line[] }): ReactElement | null {
  const theme = useTheme();
  return <Printed text={lines.map((line) => toAnsi(line, theme)).join('\n')} />;
}

/** One text for all lines: each of its own would be laid out by itself, which is slow. */
export function Printed({ text }: { readonly text: string }): ReactElement | null {
  if (text === '') return null;
  return (
    <Box flexShrink={0}>
      <Text>{text}</Text>
    </Box>
  );
}
