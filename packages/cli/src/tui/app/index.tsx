// Draws a session on a real terminal. A bundle of its own, loaded after the first prompt is shown.

import { render } from 'ink';
import type { Clock } from '@plugboard/base';
import type { ScreenStore } from '../session/index.ts';
import type { Theme } from '../view/theme.ts';
import { App } from './app.tsx';

export interface DrawStart {
  readonly store: ScreenStore;
  readonly clock: Clock;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly theme: Theme;
}

export interface Drawing {
  /** Erases the changing part. Finished items stay. */
  clear(): void;
  end(): void;
}

export function draw({ store, clock, stdin, stdout, theme }: DrawStart): Drawing {
  const drawn = render(<App store={store} clock={clock} theme={theme} />, {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    // The store decides when to draw; typed text must not wait for the next frame.
    maxFps: 1000,
  });
  return { clear: () => drawn.clear(), end: () => drawn.unmount() };
}
