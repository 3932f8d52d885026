// Parsers in WebAssembly, one for each grammar, loaded when the first file of a language comes. Used
// in a worker only: parsing blocks, and a grammar that aborts takes its thread with it.

import { createRequire } from 'node:module';
import { type Clock } from '@plugboard/base';
import { Language as Syntax, Parser, type Tree } from 'web-tree-sitter';
import type { Grammar } from './languages/language.ts';
import { type NodeRules, nodeRules } from './node-rules.ts';

export interface LoadedGrammar {
  readonly rules: NodeRules;
  /** Undefined when it is late. The caller deletes the tree. */
  parse(text: string, isLate: () => boolean): Tree | undefined;
}

/** A file that takes longer is cut by lines; ordinary ones take a few milliseconds. */
export const MOST_PARSE_MS = 2_000;

export interface ParserSettings {
  readonly clock: Clock;
  readonly mostMs: number;
}

const resolve = createRequire(import.meta.url).resolve;

export class Parsers {
  readonly #settings: ParserSettings;
  readonly #loaded = new Map<string, Promise<LoadedGrammar>>();
  #ready: Promise<void> | undefined;

  constructor(settings: ParserSettings) {
    this.#settings = settings;
  }

  load(grammar: Grammar): Promise<LoadedGrammar> {
    const known = this.#loaded.get(grammar.file) ?? this.#load(grammar);
    this.#loaded.set(grammar.file, known);
    return known;
  }

  async #load(grammar: Grammar): Promise<LoadedGrammar> {
    this.#ready ??= Parser.init();
    await this.#ready;
    const syntax = await Syntax.load(resolve(grammar.file));
    const parser = new Parser();
    parser.setLanguage(syntax);
    const rules = nodeRules(syntax, grammar);
    return { rules, parse: (text, isLate) => parse(parser, text, isLate) };
  }

  /** Says from now on whether a file has had its time. */
  stopwatch(): () => boolean {
    const { clock, mostMs } = this.#settings;
    const start = clock.elapsed();
    return () => clock.elapsed() - start > mostMs;
  }
}

function parse(parser: Parser, text: string, isLate: () => boolean): Tree | undefined {
  const tree = parser.parse(text, null, { progressCallback: isLate });
  // Without this, the next text would be read as the rest of this one.
  if (tree === null) parser.reset();
  return tree ?? undefined;
}
