// The queue of what a person is asked, with one of them changed.

import type { OpenQuestion, Screen } from '../state/index.ts';

export function replaceQuestion(screen: Screen, asked: OpenQuestion): Screen {
  return { ...screen, asked: screen.asked.map((one) => (one.id === asked.id ? asked : one)) };
}
