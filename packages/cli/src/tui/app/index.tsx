// Takes over the drawing: what a session shows, on a real terminal. It is its own bundle, loaded once the first prompt
// stands.

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
  /** Takes away what is drawn of the part that changes; what is finished stays. */
  clear(): void;
  end(): void;
}

export function draw({ store, clock, stdin, stdout, theme }: DrawStart): Drawing {
  const drawn = render(<App store={store} clock={clock} theme={theme} />, {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    // The store decides when to draw; what a person typed must not wait for a next frame.
    maxFps: 1000,
  });
  return { clear: () => drawn.clear(), end: () => drawn.unmount() };
}
