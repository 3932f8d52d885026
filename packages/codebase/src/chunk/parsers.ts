// Parsers in WebAssembly, one for each grammar, loaded with the first file of a language. Used only in a separate
// process: parsing blocks, and a grammar that aborts ends its process.

import { systemClock } from '@plugboard/base';
import { processorMs, readGrammar } from '../platform/index.ts';
import { Language as Syntax, Parser, type Tree } from 'web-tree-sitter';
import { type GrammarName, GRAMMARS } from './languages/grammars.ts';
import { type NodeRules, nodeRules } from './node-rules.ts';
import { type SyntaxFacts, syntaxFacts } from './syntax-facts.ts';

export interface LoadedGrammar {
  readonly syntax: Syntax;
  readonly rules: NodeRules;
  readonly facts: SyntaxFacts;
  /** `undefined` if it takes too long. The caller deletes the tree. */
  parse(text: string, isLate: () => boolean): Tree | undefined;
}

/** How long a file may take, and the two clocks that measure it, in milliseconds. */
export interface ParseLimit {
  readonly mostMs: number;
  /** Processor time of this process, which stands still while other programs run. */
  readonly used: () => number;
  readonly elapsed: () => number;
}

/** A file that takes longer is cut by lines; an ordinary file takes a few milliseconds. */
const LIMIT: ParseLimit = {
  mostMs: 2_000,
  used: processorMs,
  elapsed: () => systemClock.elapsed(),
};

export class Parsers {
  readonly #limit: ParseLimit;
  readonly #loaded = new Map<GrammarName, Promise<LoadedGrammar>>();
  #ready: Promise<void> | undefined;

  constructor(limit: Partial<ParseLimit> = {}) {
    this.#limit = { ...LIMIT, ...limit };
  }

  load(name: GrammarName): Promise<LoadedGrammar> {
    const known = this.#loaded.get(name) ?? this.#load(name);
    this.#loaded.set(name, known);
    return known;
  }

  async #load(name: GrammarName): Promise<LoadedGrammar> {
    this.#ready ??= Parser.init();
    await this.#ready;
    const syntax = await Syntax.load(await readGrammar(name));
    const parser = new Parser();
    parser.setLanguage(syntax);
    const rules = nodeRules(syntax, GRAMMARS[name]);
    const facts = syntaxFacts(syntax, name);
    return { syntax, rules, facts, parse: (text, isLate) => parse(parser, text, isLate) };
  }

  /** Returns a function that tells whether the time for a file is over. */
  stopwatch(): () => boolean {
    const { mostMs, used, elapsed } = this.#limit;
    const [usedBefore, start] = [used(), elapsed()];
    // Called very often, and elapsed time is quicker to read: processor time can never exceed it.
    return () => elapsed() - start > mostMs && used() - usedBefore > mostMs;
  }
}

function parse(parser: Parser, text: string, isLate: () => boolean): Tree | undefined {
  const tree = parser.parse(text, null, { progressCallback: isLate });
  // Without this, the next text would be read as the rest of this one.
  if (tree === null) parser.reset();
  return tree ?? undefined;
}
