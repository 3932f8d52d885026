// The question that asks a client's user to approve a call: which tool, with which arguments, by which script. A model,
// a server or a stranger wrote all of it, and the client shows it unchanged. So characters that are invisible, or that
// move visible text, are replaced by their numbers.

import type { Json } from '@plugboard/base';
import type { ApprovalRequest } from '@plugboard/host';

export interface Choices {
  readonly choices: readonly string[];
  /** The default of the form. */
  readonly chosen: string;
}

/** For arguments. A script is always shown whole, since the harm may be at its end. */
const LONGEST = 4000;

export function approvalQuestion(
  { tool, arguments: given, script }: Pick<ApprovalRequest, 'tool' | 'arguments' | 'script'>,
  { choices, chosen }: Choices,
): { [key: string]: Json } {
  const by = script === undefined ? '' : ` by the script "${visible(script.name)}"`;
  const code = script === undefined ? '' : `\nThe script:\n${visibleCode(script.code)}`;
  const shown = shortened(visible(JSON.stringify(given, undefined, 2)));
  return {
    message: `Plugboard: may ${tool.server} / ${tool.tool} be called${by} with this?\n${shown}${code}`,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'Decision', enum: [...choices], default: chosen },
      },
      required: ['decision'],
    },
  };
}

function shortened(text: string): string {
  return text.length > LONGEST
    ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters`
    : text;
}

/**
 * Everything but letters, digits, signs, spaces and newlines; and those that have no visible shape, except the variation
 * selector of emoji.
 */
const INVISIBLE =
  /[^ \t\n\p{L}\p{M}\p{N}\p{P}\p{S}]|(?!\uFE0F)[\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** These end a line of code, and so a comment, but few programs show them as line ends. */
const LINE_ENDS = /\r(?!\n)|[\u2028\u2029]/gu;

function visible(text: string): string {
  return text.replaceAll(INVISIBLE, codePointText);
}

function visibleCode(code: string): string {
  return visible(
    code.replaceAll(LINE_ENDS, (end) => `${codePointText(end)}\n`).replaceAll('\r\n', '\n'),
  );
}

function codePointText(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `⟨U+${number.padStart(4, '0')}⟩`;
}
