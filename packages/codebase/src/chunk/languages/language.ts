// The types of languages and grammars: the names of a language's files, and which nodes of its grammar declare something.
// The table of languages is in table.ts, the grammars are in grammars.ts.

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
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly fileNames?: readonly string[];
  /** Programs in a first line such as `#!/usr/bin/env …`. */
  readonly programs?: readonly string[];
  readonly grammar?: Grammar;
  /** `code` by default. */
  readonly lines?: LineReading;
}

/**
 * How declarations are guessed from lines without a syntax tree, or if the tree has errors: in prose and data, `type` at
 * the start of a line is just a word, and dialects of SQL share little more than `CREATE`.
 */
export type LineReading = 'code' | 'sql' | 'nothing';

export interface Grammar {
  /** The file name in the folder `grammars` of the package. */
  readonly file: string;
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
