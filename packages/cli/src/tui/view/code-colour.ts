// Syntax colours: comments, strings, numbers and keywords, found by one regular expression per family of languages. A guess
// is good enough for a glance, and needs no grammar to be loaded.

import { type Line, type Span, span, splitLines } from './spans.ts';
import type { Role } from './theme.ts';

interface Family {
  readonly tokens: RegExp;
  readonly words: ReadonlySet<string>;
}

/** Longer lines are data rather than code to read. */
const LONG_LINE = 2000;

const STRING = String.raw`"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?`;
const REST = String.raw`(?<number>\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\b)|(?<word>[A-Za-z_$][\w$]*)`;

function family(comment: string, string: string, words: string): Family {
  return {
    tokens: new RegExp(`(?<comment>${comment})|(?<string>${string})|${REST}`, 'gu'),
    words: new Set(words.split(' ')),
  };
}

const C_COMMENT = String.raw`\/\/.*|\/\*[\s\S]*?(?:\*\/|$)`;
const HASH = String.raw`(?<![\w$&{])#.*`;

const FAMILIES = {
  script: () =>
    family(
      C_COMMENT,
      `${STRING}|\`(?:\\\\.|[^\`\\\\])*\`?`,
      'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined unknown var void while with yield',
    ),
  compiled: () =>
    family(
      C_COMMENT,
      `${STRING}|\`[^\`]*\`?`,
      'abstract as async auto await base bool boolean break byte case catch chan char class const constexpr continue crate default defer delete do double dyn else enum export extends extern false final finally float fn for foreach fun func go goto if impl implements import in int interface internal is let long loop map match mod move mut namespace new nil null nullptr object operator out override package private protected pub public range readonly ref return select self sealed short signed sizeof static string struct super switch template this throw trait true try type typedef typename union unsafe unsigned use using val var virtual void volatile when where while yield',
    ),
  python: () =>
    family(
      HASH,
      `"""[\\s\\S]*?(?:"""|$)|'''[\\s\\S]*?(?:'''|$)|${STRING}`,
      'False None True and as assert async await begin break class continue def del do elif else elsif end ensure except finally for from global if import in is lambda module next nil nonlocal not or pass raise require rescue return self then try unless until when while with yield match case true false',
    ),
  shell: () =>
    family(
      HASH,
      STRING,
      'case cd do done echo elif else esac exit export fi for function if in local readonly return set shift source sudo then until while FROM RUN COPY ENV WORKDIR CMD ENTRYPOINT EXPOSE ARG',
    ),
  data: () => family(String.raw`\/\/.*|${HASH}`, STRING, 'true false null yes no on off'),
  query: () =>
    family(
      String.raw`--.*|\/\*[\s\S]*?(?:\*\/|$)`,
      STRING,
      'add all alter and as asc begin between by case check commit constraint create default delete desc distinct drop else end exists foreign from group having if in index inner insert into is join key left like limit not null on or order outer primary references right rollback select set table then union unique update using values view when where with',
    ),
  markup: () => family(String.raw`<!--[\s\S]*?(?:-->|$)`, STRING, ''),
} as const;

const LANGUAGES: Readonly<Record<string, keyof typeof FAMILIES>> = Object.fromEntries(
  (
    [
      ['script', 'ts tsx typescript js jsx javascript mjs cjs mts cts vue svelte'],
      [
        'compiled',
        'c h cpp c++ cc hpp cs csharp java kotlin kt swift go golang rust rs scala dart zig php proto objc',
      ],
      ['python', 'py python rb ruby elixir ex lua r jl julia'],
      ['shell', 'sh bash zsh shell console fish dockerfile docker makefile make powershell ps1'],
      ['data', 'json jsonc json5 yaml yml toml ini env properties hcl tf graphql nix'],
      ['query', 'sql psql mysql sqlite'],
      ['markup', 'html xml svg css scss less'],
    ] as const
  ).flatMap(([name, languages]) => languages.split(' ').map((language) => [language, name])),
);

const families = new Map<keyof typeof FAMILIES, Family>();

/** One line of spans for each line of the code. */
export function colourCode(code: string, language: string): readonly Line[] {
  if (language === 'diff' || language === 'patch') return code.split('\n').map(diffLine);
  const name = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (name === undefined || code.length > 50_000 || code.split('\n').some(isLong)) {
    return code.split('\n').map((line) => [span(line)]);
  }
  const known = families.get(name) ?? FAMILIES[name]();
  families.set(name, known);
  // A comment or string over several lines is coloured on each.
  return splitLines(spansOf(code, known, name));
}

function isLong(line: string): boolean {
  return line.length > LONG_LINE;
}

function spansOf(
  code: string,
  { tokens, words }: Family,
  name: keyof typeof FAMILIES,
): readonly Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of code.matchAll(tokens)) {
    const role = roleOf(match, words, name);
    if (role === undefined) continue;
    if (match.index > end) spans.push(span(code.slice(end, match.index)));
    spans.push(span(match[0], { role }));
    end = match.index + match[0].length;
  }
  return [...spans, span(code.slice(end))];
}

function roleOf(
  match: RegExpExecArray,
  words: ReadonlySet<string>,
  name: keyof typeof FAMILIES,
): Role | undefined {
  const { comment, string, number, word } = match.groups ?? {};
  if (comment !== undefined) return 'dim';
  if (string !== undefined) return 'string';
  if (number !== undefined) return 'number';
  const plain = name === 'query' ? word?.toLowerCase() : word;
  return words.has(plain ?? '') ? 'keyword' : undefined;
}

function diffLine(line: string): Line {
  if (line.startsWith('+')) return [span(line, { role: 'good' })];
  if (line.startsWith('-')) return [span(line, { role: 'bad' })];
  return [span(line, line.startsWith('@@') ? { role: 'dim' } : {})];
}
