// The comments and identifiers of a piece of source code, read without a syntax tree: a piece may start anywhere, and
// only its words matter. Reading stops as soon as there are enough words.

import { splitIdentifier } from './identifiers.ts';
import type { LanguageName } from './languages/table.ts';

export interface WordLimits {
  readonly language: LanguageName | undefined;
  /** Identifiers that are part of the signature already. */
  readonly leaveOut: ReadonlySet<string>;
  readonly mostOfComments: number;
  readonly mostOfIdentifiers: number;
}

export interface SourceWords {
  readonly comments: string;
  readonly identifiers: string;
}

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const SLASHES = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
const HASH = String.raw`#[^\n]*`;
const TRIPLE = String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)`;
const ANGLE = String.raw`<!--[^]*?(?:-->|$)`;

/** The first group is a comment, the second an identifier; other matches are skipped. */
const STYLES = {
  slashes: style(SLASHES, STRING),
  // A single quote in Rust may begin a lifetime; strings are double-quoted.
  slashesAndLifetimes: style(SLASHES, String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)'`),
  hash: style(HASH, STRING),
  hashAndTriple: style(`${HASH}|${TRIPLE}`, STRING),
  hashAndSlashes: style(`${HASH}|${SLASHES}`, STRING),
  hashAndBlock: style(String.raw`<#[^]*?(?:#>|$)|${HASH}`, STRING),
  dashes: style(String.raw`--[^\n]*|\/\*[^]*?(?:\*\/|$)`, STRING),
  semicolon: style(String.raw`[;#][^\n]*`, STRING),
  angle: style(ANGLE, STRING),
  angleAndSlashes: style(`${ANGLE}|${SLASHES}`, STRING),
} as const;

const STYLE_OF: Partial<Readonly<Record<LanguageName, keyof typeof STYLES>>> = {
  bash: 'hash',
  dockerfile: 'hash',
  elixir: 'hashAndTriple',
  haskell: 'dashes',
  html: 'angle',
  ini: 'semicolon',
  lua: 'dashes',
  make: 'hash',
  perl: 'hash',
  php: 'hashAndSlashes',
  powershell: 'hashAndBlock',
  python: 'hashAndTriple',
  r: 'hash',
  ruby: 'hash',
  rust: 'slashesAndLifetimes',
  sql: 'dashes',
  svelte: 'angleAndSlashes',
  terraform: 'hashAndSlashes',
  toml: 'hash',
  vue: 'angleAndSlashes',
  xml: 'angle',
  yaml: 'hash',
};

/** Words that languages reserve, which tell nothing about the purpose of code. */
const KEYWORDS = new Set(
  (
    'abstract as assert async await base begin bool boolean break byte case catch char class const ' +
    'constexpr continue crate debugger declare def default defer del delete do done double echo elif else ' +
    'elsif elseif end endif enum esac except export extends extern extension false fi final finally ' +
    'fixed float fn for foreach from func function global go goto if impl implements import in inline ' +
    'instanceof int interface internal is keyof lambda let local long loop match mod module mut namespace ' +
    'native new nil none not null nullptr object of operator or and out override package params pass ' +
    'pragma print private protected protocol pub public raise readonly ref require return sealed self ' +
    'short signed sizeof static str string struct super switch template then this throw throws trait ' +
    'transient true try type typedef typename typeof undefined union unless unsafe unsigned until use using ' +
    'val var virtual void volatile when where while with yield None True False elseif i j k'
  ).split(' '),
);

/** Every file of a project may start with these; they tell nothing about this one. */
const BOILERPLATE =
  /copyright|licen[sc]ed? (?:under|as)|spdx-|permission is hereby|all rights reserved/i;
const MARKERS =
  /^[ \t]*(?:\/\*+!?|\*+\/|\*+|\/\/[/!]*|#+!?|--+|;+|"""|'''|<!--|<#)|(?:\*+\/|"""|'''|-->|#>)[ \t]*$/gm;
const SPACE = /\s+/g;

export function readWords(source: string, limits: WordLimits): SourceWords {
  const pattern = STYLES[STYLE_OF[limits.language ?? 'text'] ?? 'slashes'];
  const comments = new BoundedText(limits.mostOfComments);
  const identifiers = new BoundedText(limits.mostOfIdentifiers);
  const seen = new Set(limits.leaveOut);
  for (const match of source.matchAll(pattern)) {
    const [whole, comment, identifier] = match;
    if (comment !== undefined) addComment(comments, comment);
    else if (identifier !== undefined) addIdentifier(identifiers, whole, seen);
    if (comments.isFull && identifiers.isFull) break;
  }
  return { comments: comments.text, identifiers: identifiers.text };
}

function addComment(comments: BoundedText, comment: string): void {
  if (comments.isFull || BOILERPLATE.test(comment)) return;
  // Far more than is used, so that a long comment costs no more.
  const words = comment.slice(0, 2_000).replace(MARKERS, ' ').replace(SPACE, ' ').trim();
  if (/\p{L}/u.test(words)) comments.add(words);
}

function addIdentifier(identifiers: BoundedText, name: string, seen: Set<string>): void {
  if (identifiers.isFull || seen.has(name) || KEYWORDS.has(name)) return;
  seen.add(name);
  const words = splitIdentifier(name).join(' ');
  if (words.length > 1) identifiers.add(words);
}

/** Words separated by spaces, as many as fit. */
class BoundedText {
  readonly #most: number;
  #text = '';
  isFull = false;

  constructor(most: number) {
    this.#most = most;
  }

  get text(): string {
    return this.#text;
  }

  add(words: string): void {
    const room = this.#most - this.#text.length - (this.#text === '' ? 0 : 1);
    this.isFull = words.length >= room;
    const fitting = this.isFull ? wholeWords(words, room) : words;
    if (fitting !== '') this.#text += this.#text === '' ? fitting : ` ${fitting}`;
  }
}

function wholeWords(words: string, most: number): string {
  if (words.length <= most) return words;
  const space = words.lastIndexOf(' ', Math.max(0, most));
  return space > 0 ? words.slice(0, space) : '';
}

function style(comment: string, skipped: string): RegExp {
  return new RegExp(`(${comment})|(${NAME})|${skipped}`, 'gu');
}
