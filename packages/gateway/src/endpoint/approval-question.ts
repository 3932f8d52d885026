// The question with which a client's user is asked about a call: which tool, with what, and by which script. All of it was written
// by a model, a server or a stranger, and the client shows it as it is: what is not seen, or moves what is seen, is written out.

import type { Json } from '@plugboard/base';
import type { ApprovalRequest } from '@plugboard/host';

export interface Choices {
  readonly choices: readonly string[];
  /** The one that a form begins with. */
  readonly chosen: string;
}

/** Of arguments. Of a script, all is shown: what it does may be at its end. */
const LONGEST = 4000;

export function questionOf(
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
 * All but letters, digits, signs, spaces and newlines; and what is one of those and yet has no shape, but for the mark that makes a
 * sign an emoji.
 */
const UNSEEN =
  /[^ \t\n\p{L}\p{M}\p{N}\p{P}\p{S}]|(?!\uFE0F)[\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** With these a line of code ends, and so does a comment, although hardly anything shows them so. */
const LINE_ENDS = /\r(?!\n)|[\u2028\u2029]/gu;

function visible(text: string): string {
  return text.replaceAll(UNSEEN, written);
}

function visibleCode(code: string): string {
  return visible(code.replaceAll(LINE_ENDS, (end) => `${written(end)}\n`).replaceAll('\r\n', '\n'));
}

function written(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `⟨U+${number.padStart(4, '0')}⟩`;
}
