// The result of a model's call, as the model gets it.

import { type CallOutcome, toModelText } from '../host/index.ts';
import { type Part, type TextKind, textKindOf } from '../output/index.ts';

export interface Answer {
  readonly isError: boolean;
  /** Unchanged; `texts` says in which form a model may get them. */
  readonly parts: readonly Part[];
  /** For a search: the names of the deferred tools that it found, best first. A provider may load them in place of `parts`. */
  readonly found?: readonly string[];
  /** `verbatim`, by default. */
  readonly texts?: TextKind;
}

export function textAnswer(text: string, isError: boolean): Answer {
  return { isError, parts: [{ kind: 'text', text }] };
}

export function outcomeAnswer(outcome: CallOutcome): Answer {
  if (outcome.kind === 'result') {
    const { tool, parts, structured } = outcome;
    return { isError: false, parts, texts: textKindOf(tool, structured) };
  }
  if (outcome.kind === 'tool-error') return { isError: true, parts: outcome.parts };
  return textAnswer(toModelText(outcome), true);
}
