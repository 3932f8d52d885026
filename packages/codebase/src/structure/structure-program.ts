// The program of a process that searches files for a pattern: it reads each file inside the root, parses it, and matches.

import { isAbsolute } from 'node:path';
import { Query } from 'web-tree-sitter';
import { hasGrammar, languageOf, Parsers } from '../chunk/index.ts';
import { readConfinedNow, serveJobs } from '../platform/index.ts';
import { matchNode } from './match.ts';
import { fillTemplate, type ParsedPattern, parsePattern, readPattern } from './pattern.ts';

export interface StructureJob {
  readonly root: string;
  readonly language: string;
  readonly pattern: string;
  readonly rewrite: string | undefined;
  readonly paths: readonly string[];
  readonly limit: number;
}

export interface StructureMatch {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  readonly bound: Readonly<Record<string, string>>;
  /** The text after the rewrite. */
  readonly rewritten?: string;
  /** The absolute path, if `path` begins with the name of a root. */
  readonly file?: string;
}

export type StructureResult =
  | { readonly kind: 'found'; readonly matches: readonly StructureMatch[]; readonly read: number }
  | { readonly kind: 'no-grammar' }
  | { readonly kind: 'no-pattern' };

const MOST_BYTES = 1024 * 1024;
const buffer = Buffer.allocUnsafe(MOST_BYTES + 1);
const parsers = new Parsers();

// The pool of `StructureSearch` uses the same types.
await serveJobs((request) => work(request as StructureJob));

async function work(job: StructureJob): Promise<StructureResult> {
  if (!hasGrammar(job.language) || !isAbsolute(job.root)) return { kind: 'no-grammar' };
  const loaded = await parsers.load(job.language);
  const text = readPattern(job.pattern);
  const parsed = parsePattern(text, (code) => loaded.parse(code, parsers.stopwatch()));
  if (parsed === undefined) return { kind: 'no-pattern' };
  try {
    const query = new Query(loaded.syntax, `(${parsed.root.type}) @node`);
    const matches: StructureMatch[] = [];
    let read = 0;
    for (const path of job.paths) {
      if (matches.length >= job.limit) break;
      const found = readConfinedNow(job.root, path, buffer);
      if (found?.kind !== 'read') continue;
      const code = new TextDecoder().decode(found.bytes);
      if (!text.literals.every((literal) => code.includes(literal))) continue;
      if (languageOf(path, code.slice(0, 200)) !== job.language) continue;
      read += 1;
      matches.push(...matchesIn({ path, code, job, parsed, query, loaded }));
    }
    return { kind: 'found', matches: matches.slice(0, job.limit), read };
  } finally {
    parsed.tree.delete();
  }
}

interface FileToMatch {
  readonly path: string;
  readonly code: string;
  readonly job: StructureJob;
  readonly parsed: ParsedPattern;
  readonly query: Query;
  readonly loaded: Awaited<ReturnType<Parsers['load']>>;
}

function matchesIn({
  path,
  code,
  job,
  parsed,
  query,
  loaded,
}: FileToMatch): readonly StructureMatch[] {
  const tree = loaded.parse(code, parsers.stopwatch());
  if (tree === undefined) return [];
  try {
    return query.captures(tree.rootNode).flatMap(({ node }): readonly StructureMatch[] => {
      const bound = matchNode(parsed.root, node);
      if (bound === undefined) return [];
      return [
        {
          path,
          startLine: node.startPosition.row + 1,
          endLine: node.endPosition.row + 1,
          text: node.text,
          bound: Object.fromEntries(bound),
          ...(job.rewrite === undefined ? {} : { rewritten: fillTemplate(job.rewrite, bound) }),
        },
      ];
    });
  } finally {
    tree.delete();
  }
}
