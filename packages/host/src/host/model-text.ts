// The outcome of a call as text for a model: the answer itself, or the problem and what can be done about
// it. Outcomes contain no secrets, so neither does the text.

import type { JsonObject } from '@plugboard/base';
import { shownLine } from '../inbound/index.ts';
import { partForModel, textKindOf, toText } from '../output/index.ts';
import type { CallOutcome } from './call-outcome.ts';
import { failureText, schemaText } from './failure-text.ts';
import { refusedKeyWords, signInWords } from './sign-in-words.ts';

const MOST_ISSUES = 20;
const LONGEST_ISSUE = 300;

export function toModelText(outcome: CallOutcome): string {
  return outcomeText(outcome);
}

/** The same for a request that was not a call of a tool. */
export function requestText(outcome: CallOutcome, request: string): string {
  return outcomeText(outcome, request);
}

function outcomeText(outcome: CallOutcome, request?: string): string {
  switch (outcome.kind) {
    case 'result': {
      const texts = textKindOf(outcome.tool, outcome.structured);
      return toText(outcome.parts.map((part) => partForModel(part, texts)));
    }
    case 'tool-error':
      return toText(outcome.parts);
    case 'needs-auth':
      return outcome.reason === undefined
        ? `${refusedKeyWords(outcome.server)}\nThe call was not made. Do not repeat it before the user has given it another key.`
        : `${signInWords(outcome.server)}\nThe call was not made. Do not repeat it before the user has signed in.`;
    case 'unknown-tool': {
      const near = outcome.nearest === undefined ? '' : ` Did you mean ${outcome.nearest}?`;
      return `There is no tool ${outcome.asked}.${near}`;
    }
    case 'unknown-server': {
      const meant = outcome.nearestTool ?? outcome.nearest;
      const near = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return `There is no server ${outcome.server}.${near}`;
    }
    case 'invalid-arguments':
      return `${issuesText(outcome)}\n${takesWords(outcome.schema)}`;
    case 'quarantined':
      return `Tool ${outcome.tool} is not what the user accepted of server ${outcome.server}, and is kept back until they accept it: plugboard pins diff ${outcome.server}`;
    case 'denied':
      return `${request ?? `Calling tool ${outcome.tool}`} was denied: ${outcome.reason}`;
    case 'not-connected':
      return `${request ?? `Tool ${outcome.tool}`} gave no result: server ${outcome.server} ${failureText(outcome.reason)}`;
    case 'timeout':
      return `${request ?? `Tool ${outcome.tool}`} gave no sign of life for ${outcome.ms} ms.`;
    case 'cancelled':
      return `${request ?? `Calling tool ${outcome.tool}`} was given up.`;
    case 'protocol-error':
      return `${request ?? `Tool ${outcome.tool}`} gave no result: server ${outcome.server} ${failureText(outcome.failure)}`;
    default:
      return outcome satisfies never;
  }
}

/** The mistakes in the arguments of a call. */
export function issuesText({
  tool,
  issues,
}: Extract<CallOutcome, { readonly kind: 'invalid-arguments' }>): string {
  const lines = issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => `- ${shownLine(`${path} ${message}`, LONGEST_ISSUE)}`);
  const more = issues.length - lines.length;
  return [
    `Tool ${tool} does not take these arguments:`,
    ...lines,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

/** The arguments that the tool takes, for a model that made a mistake. */
export function takesWords(schema: JsonObject): string {
  return `It takes arguments of this JSON Schema: ${schemaText(schema)}`;
}
