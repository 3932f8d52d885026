// What a call came to, as a model reads it: the answer itself, or what is wrong and what can be done about
// it. Nothing secret is in an outcome, so nothing secret is in the text.

import { toText } from '../output/index.ts';
import type { CallOutcome } from './call-outcome.ts';
import { signInWords } from './sign-in-words.ts';

export function toModelText(outcome: CallOutcome): string {
  switch (outcome.kind) {
    case 'result':
    case 'tool-error':
      return toText(outcome.parts);
    case 'needs-auth':
      return `${signInWords(outcome.server)}\nThe call was not made. Do not repeat it before the user has signed in.`;
    case 'unknown-tool': {
      const near = outcome.nearest === undefined ? '' : ` Did you mean ${outcome.nearest}?`;
      return `There is no tool ${outcome.asked}.${near}`;
    }
    case 'unknown-server': {
      const meant = outcome.nearestTool ?? outcome.nearest;
      const near = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return `There is no server ${outcome.server}.${near}`;
    }
    case 'invalid-arguments': {
      const issues = outcome.issues.map(({ path, message }) =>
        ['-', path, message].filter((word) => word !== '').join(' '),
      );
      return [`Tool ${outcome.tool} does not take these arguments:`, ...issues].join('\n');
    }
    case 'quarantined':
      return `Tool ${outcome.tool} is not what the user accepted of server ${outcome.server}, and is kept back until they accept it: plugboard pins diff ${outcome.server}`;
    case 'denied':
      return `Calling tool ${outcome.tool} was denied: ${outcome.reason}`;
    case 'not-connected':
      return `Server ${outcome.server} cannot be used just now (${outcome.reason.kind}).`;
    case 'timeout':
      return `Tool ${outcome.tool} gave no sign of life for ${outcome.ms} ms.`;
    case 'cancelled':
      return `Calling tool ${outcome.tool} was given up.`;
    case 'protocol-error':
      return `Server ${outcome.server} answered in a way that cannot be used (${outcome.failure.kind}).`;
    default:
      return outcome satisfies never;
  }
}
