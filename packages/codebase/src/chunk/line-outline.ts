// Where a text without a grammar may be cut: between lines, preferably after a blank line and where indentation is
// small. Declarations are guessed from how lines start.

import type { Boundary, Declaration, Outline } from './chunk.ts';
import type { LineReading } from './languages/language.ts';
import { createdBy } from './languages/sql.ts';

/** What a cut costs that does not follow a blank line. */
const NO_BLANK_LINE = 4;
const MOST_DEPTH = 40;

const DECLARING =
  /^[ \t]*(?:(?:export|default|public|private|protected|internal|abstract|final|open|sealed|static|async|override|suspend|inline|data|case|pub|local|declare|implicit|lazy)\s+)*(class|interface|struct|enum|trait|object|protocol|module|namespace|defmodule|fun|func|function|def|defp|defn|fn|sub|proc|macro|defmacro|message|service|rpc|type|typealias|record|input|scalar|union|resource|@mixin)\s+["'`]?([\p{L}_$][\p{L}\p{N}_$.:-]*)/iu;

const KINDS: Readonly<Record<string, Declaration['kind']>> = {
  class: 'class',
  interface: 'interface',
  struct: 'struct',
  record: 'struct',
  message: 'struct',
  enum: 'enum',
  trait: 'trait',
  protocol: 'interface',
  service: 'interface',
  object: 'class',
  module: 'namespace',
  namespace: 'namespace',
  defmodule: 'namespace',
  type: 'type',
  typealias: 'type',
  input: 'type',
  scalar: 'type',
  union: 'type',
  macro: 'macro',
  defmacro: 'macro',
  '@mixin': 'macro',
};

export function outlineOfLines(text: string, reading: LineReading): Outline {
  const boundaries: Boundary[] = [];
  const declarations: Declaration[] = [];
  let isAfterBlank = true;
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed + 1;
    const line = text.slice(start, Math.min(end, start + 400));
    const indent = line.search(/\S/);
    if (indent >= 0) {
      const depth = Math.min(indent, MOST_DEPTH) + (isAfterBlank ? 0 : NO_BLANK_LINE);
      if (start > 0) boundaries.push({ offset: start, depth });
      declarations.push(...GUESSES[reading](line, indent, { start, end }));
    }
    isAfterBlank = indent < 0;
    start = end;
  }
  return { boundaries, declarations };
}

type Guess = (
  line: string,
  depth: number,
  extent: Pick<Declaration, 'start' | 'end'>,
) => readonly Declaration[];

const GUESSES: Readonly<Record<LineReading, Guess>> = {
  code: guess,
  sql: (line, depth, extent) => {
    const created = createdBy(line);
    return created === undefined ? [] : [{ ...extent, ...created, depth }];
  },
  nothing: () => [],
};

/** The depth of a declaration is its indentation. */
function guess(
  line: string,
  depth: number,
  extent: Pick<Declaration, 'start' | 'end'>,
): readonly Declaration[] {
  const [, keyword, name] = DECLARING.exec(line) ?? [];
  if (keyword === undefined || name === undefined) return [];
  const lower = keyword.toLowerCase();
  const kind = KINDS[lower] ?? 'function';
  return [{ ...extent, kind, names: [name], symbol: name, depth }];
}
