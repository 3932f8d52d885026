// The reason of a denied call, in a few words for a model or a log. User interfaces have their own texts.

import type { Decision, FlowSource, RuleOrigin } from '../policy/index.ts';

export function decisionReason({ because }: Decision): string {
  switch (because.kind) {
    case 'rule': {
      const { text, origin, on } = because.rule;
      const what =
        on.kind === 'unclear'
          ? `a rule that cannot be understood (${on.reason})`
          : `the rule ${text}`;
      return `${what} at ${originWords(origin)}`;
    }
    case 'mode':
      return `the mode "${because.stated.mode}" at ${originWords(because.stated.origin)}`;
    case 'flow': {
      const { concern } = because;
      return `it would send something out after private data (${sourceWords(concern.private)}) and foreign text (${sourceWords(concern.foreign)}) were read`;
    }
    case 'default':
      return 'no rule allows it';
    default:
      return because satisfies never;
  }
}

function sourceWords({ server, tool }: FlowSource): string {
  return `${server}/${tool}`;
}

function originWords(origin: RuleOrigin): string {
  return origin.kind === 'given' ? origin.by : `${origin.file}:${origin.line}:${origin.column}`;
}
