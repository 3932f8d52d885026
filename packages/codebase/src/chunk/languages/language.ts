// What is known of a language: by which names its files go, and which nodes of its grammar declare
// something. The table of them all is in table.ts; its grammars are in grammars.ts.

export type DeclarationKind =
  | 'class'
  | 'constant'
  | 'constructor'
  | 'enum'
  | 'event'
  | 'extension'
  | 'function'
  | 'impl'
  | 'index'
  | 'interface'
  | 'macro'
  | 'method'
  | 'namespace'
  | 'property'
  | 'rule'
  | 'section'
  | 'struct'
  | 'table'
  | 'trait'
  | 'trigger'
  | 'type'
  | 'variable'
  | 'view';

export interface Language {
  readonly name: string;
  /** Lower case, without the dot; the longest that fits counts (`d.ts` before `ts`). */
  readonly extensions: readonly string[];
  readonly fileNames?: readonly string[];
  /** Programs that a first line `#!/usr/bin/env …` may name. */
  readonly programs?: readonly string[];
  readonly grammar?: Grammar;
  /** `code` unless it says otherwise. */
  readonly lines?: LineReading;
}

/**
 * What the starts of lines declare where there is no syntax tree, or where it has errors: in prose and data, `type` at the
 * start of a line is just a word, and dialects of SQL share little more than `CREATE`.
 */
export type LineReading = 'code' | 'sql' | 'nothing';

export interface Grammar {
  /** Its name in the folder `grammars` of the package. */
  readonly file: string;
  /** Types of nodes that declare something. */
  readonly declares: Readonly<Record<string, DeclarationKind>>;
  /** Types of nodes with declarations in them, beside those that declare a class or the like. */
  readonly holds: readonly string[];
  /** Types of nodes that belong to what follows, beside comments: attributes, decorators. */
  readonly precedes?: readonly string[];
  /** Types of nodes that are the body of the declaration before them, and no part of it. */
  readonly bodies?: readonly string[];
  /** Types of nodes with keywords, where keywords are nodes with names. */
  readonly keywords?: RegExp;
}
