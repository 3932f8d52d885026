// The queue of what a person is asked, with one of them changed.

import type { Asked, Screen } from '../state/index.ts';

export function replacedAsked(screen: Screen, asked: Asked): Screen {
  return { ...screen, asked: screen.asked.map((one) => (one.id === asked.id ? asked : one)) };
}
