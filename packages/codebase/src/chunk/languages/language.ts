// What the tables of languages and of grammars say: the names of a language's files, which nodes of its grammar declare
// something, and the kinds of declarations. The languages are in table.ts, the grammars in grammars.ts.

interface KindFacts {
  /**
   * `holder`: a function in it is a method. `body`: data in it is local. `aside`: neither code nor data, and the last to be
   * asked for.
   */
  readonly role: 'holder' | 'body' | 'data' | 'aside' | 'other';
  /** It tells what a tree is about, more than what it contains does. */
  readonly isHead?: true;
  /** Inside of another declaration it is accessed through a value. */
  readonly isMember?: true;
}

const KINDS = {
  class: { role: 'holder', isHead: true },
  constant: { role: 'data' },
  constructor: { role: 'body', isMember: true },
  enum: { role: 'holder', isHead: true },
  event: { role: 'other', isMember: true },
  extension: { role: 'holder' },
  function: { role: 'body' },
  impl: { role: 'holder' },
  index: { role: 'other' },
  interface: { role: 'holder', isHead: true },
  macro: { role: 'other' },
  method: { role: 'body', isMember: true },
  namespace: { role: 'holder' },
  property: { role: 'data', isMember: true },
  rule: { role: 'aside' },
  /** Part of a document under a heading, or of a file under a key. */
  section: { role: 'aside' },
  struct: { role: 'holder', isHead: true },
  table: { role: 'holder', isHead: true },
  trait: { role: 'holder', isHead: true },
  trigger: { role: 'other' },
  type: { role: 'other', isHead: true },
  variable: { role: 'data' },
  view: { role: 'other', isHead: true },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type DeclarationKind = keyof typeof KINDS;

/** A set of strings, since an index may have a kind that only another version of the program knows. */
export function kindsWhere(holds: (facts: KindFacts) => boolean): ReadonlySet<string> {
  return new Set(
    Object.entries<KindFacts>(KINDS).flatMap(([kind, facts]) => (holds(facts) ? [kind] : [])),
  );
}

export interface LanguageRow {
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly fileNames?: readonly string[];
  /** Programs in a first line such as `#!/usr/bin/env …`. */
  readonly programs?: readonly string[];
  /** `code` by default. */
  readonly lines?: LineReading;
}

/**
 * How declarations are guessed from lines without a syntax tree, or if the tree has errors: in prose and data, `type` at
 * the start of a line is just a word, and dialects of SQL share little more than `CREATE`.
 */
export type LineReading = 'code' | 'sql' | 'nothing';

export interface Grammar {
  /** Types of nodes that declare something. */
  readonly declares: Readonly<Record<string, DeclarationKind>>;
  /** Types of nodes that contain declarations, besides those that declare a class or the like. */
  readonly holds: readonly string[];
  /** Types of nodes that belong to the next one, besides comments: attributes, decorators. */
  readonly precedes?: readonly string[];
  /** Types of nodes that are the body of the preceding declaration, but not inside it. */
  readonly bodies?: readonly string[];
  /** Types of nodes that are keywords, in a grammar whose keywords are named nodes. */
  readonly keywords?: RegExp;
}
