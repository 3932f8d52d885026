// Finds the parts of a long command that a person should see first: commands that are chained, piped, redirected, nested,
// or hidden behind a long run of spaces. Quotes are ignored, since a false alarm costs less than a part that hides behind a
// quote. Pure.

import { condensed, visible } from './visible.ts';

export interface CommandPart {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly risk: PartRisk;
}

/** From the most to the least important. */
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
  /** The number of parts that are left out. */
  readonly others: number;
}

const MOST_PARTS = 5;
const PART_LENGTH = 160;
/** A shorter command needs no summary. */
const LONG_COMMAND = 240;
const MANY_LINES = 5;

/** Whether this is a common name for an argument that is a command. */
export function isCommandName(name: string): boolean {
  return /^(?:cmd|command|commands|script|shell|bash|code|exec)$/iu.test(name);
}

/** The most important parts of a long command, in that order. Empty for a short or a harmless command. */
export function firstParts(command: string): FirstParts {
  const isLong = command.length >= LONG_COMMAND || command.split('\n').length >= MANY_LINES;
  const all = isLong ? splitCommandParts(command) : [];
  const ranked = all.toSorted((a, b) => rankOf(a) - rankOf(b) || a.line - b.line);
  return { parts: ranked.slice(0, MOST_PARTS), others: Math.max(0, all.length - MOST_PARTS) };
}

/** One line, with invisible characters written out. Of a long part, the beginning and the end. */
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

/** Separates consecutive commands. A pipe and `2>&1` stay within their part. */
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

/** Programs that run any command from their input or arguments. */
const RUNNERS =
  /\|\s*(?:\S*\/)?(?:(?:sudo|env|nohup)\s+)*(?:\S*\/)?(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|perl|ruby|php|xargs|eval|source|osascript|pwsh|sudo)\b|\b(?:eval|source)\s/u;
const NETWORK =
  /\b(?:curl|wget|nc|ncat|netcat|socat|telnet|ssh|scp|sftp|rsync|ftp|dig|nslookup)\b|\/dev\/(?:tcp|udp)\//u;
const INSIDE = /\$\(|`|[<>]\(/u;
const REMOVING =
  /\b(?:rm|shred|dd|mkfs\S*|truncate|chmod|chown|sudo|crontab|launchctl|systemctl)\s/u;
const REDIRECTING = /[<>]/u;
const PUSHED_AWAY = /\S[ \t]{20,}\S|^[ \t]{40,}\S/u;

function riskOf(
  text: string,
  { before, separator }: { readonly before: string; readonly separator: string },
): PartRisk | undefined {
  if (RUNNERS.test(text)) return 'runs-input';
  const isBesideSpaces = /[ \t]{20,}$/u.test(before) || /^[ \t]{20,}\S/u.test(text);
  if (PUSHED_AWAY.test(text) || (separator !== '\n' && isBesideSpaces)) return 'pushed-away';
  if (NETWORK.test(text)) return 'reaches-out';
  if (INSIDE.test(text)) return 'runs-inside';
  if (REMOVING.test(text)) return 'removes';
  if (REDIRECTING.test(text)) return 'redirects';
  return separator === '' ? undefined : 'follows';
}
