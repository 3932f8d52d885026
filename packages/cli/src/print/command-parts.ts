// The parts of a long command that a person should see first: what is chained, piped, redirected, run inside something else,
// or stands after a long run of spaces. Quotes are not looked at: a part that is named without need costs a glance, and one
// that hides behind a quote would cost more. Pure.

import { condensed, visible } from './visible.ts';

export interface CommandPart {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly risk: PartRisk;
}

/** From the most telling one to the least. */
const RISKS = [
  'runs-input',
  'pushed-away',
  'reaches-out',
  'runs-inside',
  'removes',
  'redirects',
  'follows',
] as const;

export type PartRisk = (typeof RISKS)[number];

const WORDS: Readonly<Record<PartRisk, string>> = {
  'runs-input': 'runs what it is given',
  'pushed-away': 'stands after many spaces',
  'reaches-out': 'reaches the network',
  'runs-inside': 'runs a command inside',
  removes: 'removes, or changes rights',
  redirects: 'reads or writes a file',
  follows: 'one more command',
};

export function riskWords(risk: PartRisk): string {
  return WORDS[risk];
}

export interface FirstParts {
  readonly parts: readonly CommandPart[];
  /** How many there are beside them. */
  readonly others: number;
}

const MOST_PARTS = 5;
const PART_LENGTH = 160;
/** A shorter command is seen at a glance. */
const LONG_COMMAND = 240;
const MANY_LINES = 5;

/** Whether an argument of this name is a command, as tools mostly call it. */
export function isCommandName(name: string): boolean {
  return /^(?:cmd|command|commands|script|shell|bash|code|exec)$/iu.test(name);
}

/** Of a long command the most telling parts, those first; none if it is short, or one plain part. */
export function firstParts(command: string): FirstParts {
  const isLong = command.length >= LONG_COMMAND || command.split('\n').length >= MANY_LINES;
  const all = isLong ? splitCommandParts(command) : [];
  const ranked = all.toSorted((a, b) => rankOf(a) - rankOf(b) || a.line - b.line);
  return { parts: ranked.slice(0, MOST_PARTS), others: Math.max(0, all.length - MOST_PARTS) };
}

/** On one line, without what is not seen; of a long one its beginning and its end. */
export function partWords({ text }: CommandPart): string {
  const shown = condensed(text);
  const half = PART_LENGTH / 2;
  return visible(
    shown.length <= PART_LENGTH ? shown : `${shown.slice(0, half)} … ${shown.slice(-half)}`,
  );
}

function rankOf({ risk }: CommandPart): number {
  return RISKS.indexOf(risk);
}

/** Between parts that follow one another. A pipe stays in its part, and so does `2>&1`. */
const SEPARATOR = /(\n|;|&&|\|\||(?<![<>&|])&(?![>&|\d]))/u;

function splitCommandParts(command: string): readonly CommandPart[] {
  const pieces = command.split(SEPARATOR);
  const parts: CommandPart[] = [];
  let line = 1;
  for (let at = 0; at < pieces.length; at += 2) {
    const [before = '', separator = '', text = ''] = [pieces[at - 2], pieces[at - 1], pieces[at]];
    if (separator === '\n') line += 1;
    const risk = riskOf(text, { before, separator });
    if (risk !== undefined && text.trim() !== '') parts.push({ line, text: text.trim(), risk });
  }
  return parts;
}

/** Programs that run any command that they are given. */
const RUNNERS =
  /\|\s*(?:\S*\/)?(?:(?:sudo|env|nohup)\s+)*(?:\S*\/)?(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|perl|ruby|php|xargs|eval|source|osascript|pwsh|sudo)\b|\b(?:eval|source)\s/u;
const NETWORK =
  /\b(?:curl|wget|nc|ncat|netcat|socat|telnet|ssh|scp|sftp|rsync|ftp|dig|nslookup)\b|\/dev\/(?:tcp|udp)\//u;
const INSIDE = /\$\(|`|[<>]\(/u;
const REMOVING =
  /\b(?:rm|shred|dd|mkfs\S*|truncate|chmod|chown|sudo|crontab|launchctl|systemctl)\s/u;
const REDIRECTING = /[<>]/u;
const PUSHED = /\S[ \t]{20,}\S|^[ \t]{40,}\S/u;

function riskOf(
  text: string,
  { before, separator }: { readonly before: string; readonly separator: string },
): PartRisk | undefined {
  if (RUNNERS.test(text)) return 'runs-input';
  const isBesideSpaces = /[ \t]{20,}$/u.test(before) || /^[ \t]{20,}\S/u.test(text);
  if (PUSHED.test(text) || (separator !== '\n' && isBesideSpaces)) return 'pushed-away';
  if (NETWORK.test(text)) return 'reaches-out';
  if (INSIDE.test(text)) return 'runs-inside';
  if (REMOVING.test(text)) return 'removes';
  if (REDIRECTING.test(text)) return 'redirects';
  return separator === '' ? undefined : 'follows';
}
