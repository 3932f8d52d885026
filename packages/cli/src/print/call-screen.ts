// The text that a person sees before approving a call: the tool, the reason for the question, and all of the arguments,
// because nobody can approve what they have not seen.

import type { JsonObject } from '@plugboard/base';
import type { ApprovalRequest, CallScript, ReadRequest, Remember } from '@plugboard/host';
import { firstParts, isCommandName, partWords, riskWords } from './command-parts.ts';
import { groundWords } from './decision.ts';
import type { Standpoint } from './place.ts';
import { condensed, quoted, visible } from './visible.ts';

export function callScreen(request: ApprovalRequest, from: Standpoint): string {
  const { tool, arguments: given, decision, script } = request;
  return [
    ...callLines({ ...tool, given, script }),
    `Asked because of ${groundWords(decision.because, from)}.`,
    '',
  ].join('\n');
}

interface ShownCall {
  readonly server: string;
  readonly tool: string;
  readonly given: JsonObject;
  readonly script: CallScript | undefined;
}

export function callLines({ server, tool, given, script }: ShownCall): readonly string[] {
  const lines = Object.entries(given).map(
    ([key, value]) => `  ${visible(key)} = ${visible(condensed(JSON.stringify(value)))}`,
  );
  return [
    `Call tool ${quoted(tool)} of server ${quoted(server)}${lines.length === 0 ? '' : ' with'}`,
    ...Object.entries(given).flatMap(([key, value]) =>
      isCommandName(key) && typeof value === 'string' ? firstLines(value) : [],
    ),
    ...lines,
    ...(script === undefined ? [] : scriptLines(script)),
  ];
}

/** The whole script, since the person may approve all of it. */
function scriptLines({ name, code }: CallScript): readonly string[] {
  const lines = condensed(code).split('\n');
  return [`By script ${quoted(name)}:`, ...lines.map((line) => `  | ${visible(line)}`)];
}

/** The riskiest parts of a long command, to be read before the command itself. */
export function firstLines(command: string): readonly string[] {
  const { parts, others } = firstParts(command);
  if (parts.length === 0) return [];
  return [
    'Look at this first:',
    ...parts.map((part) => `  | line ${part.line}: ${partWords(part)} (${riskWords(part.risk)})`),
    ...(others === 0 ? [] : [`  and ${others} more`]),
  ];
}

export function readScreen({ server, uri, decision }: ReadRequest, from: Standpoint): string {
  return [
    `Read ${quoted(uri)} of server ${quoted(server)}`,
    `Asked because of ${groundWords(decision.because, from)}.`,
    '',
  ].join('\n');
}

export function callQuestion(offers: readonly Remember[]): string {
  const script = offers.includes('script') ? ', yes for this tool in this [s]cript' : '';
  const always = offers.includes('always') ? ', [a]lways, always [h]ere in this project' : '';
  const more = `${script}${always}`;
  return more === '' ? 'Let it run? [y/N] ' : `Let it run? [y]es${more}, or [N]o: `;
}
