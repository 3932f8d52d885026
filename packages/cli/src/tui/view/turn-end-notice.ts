// The notice about the end of a turn; none if it ended normally.

import type { TurnEnd } from '@plugboard/agent';
import type { Notice } from '../../chat/index.ts';
import { modelFailureWords } from '../../print/model-failure.ts';

export function turnEndNotice(end: TurnEnd): Notice | undefined {
  switch (end.kind) {
    case 'done':
      return undefined;
    case 'cancelled':
      return { level: 'info', text: 'Stopped.' };
    case 'failed': {
      const { message: text, fix } = modelFailureWords(end.failure, 'chat');
      return { level: 'error', text, fix };
    }
    case 'too-many-steps': {
      const text = `Stopped after ${end.steps} steps; say "continue" to let it go on.`;
      return { level: 'warning', text };
    }
    case 'over-budget': {
      const text = `Stopped: $${end.spent.toFixed(2)} of $${end.budget.toFixed(2)} are spent.`;
      const fix = 'start again with a larger --budget and --continue';
      return { level: 'warning', text, fix };
    }
    default:
      return end satisfies never;
  }
}
