// `outline`: the symbols of a file, or those of a folder that other files use most, with lines and signatures, without
// bodies, and within a budget.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import type { SymbolDefinition } from '../../chunk/index.ts';
import { type MappedSymbol, signatureAt } from '../../symbols/index.ts';
import { maxTokens, TextBudget } from './budget.ts';
import { chunkTextFile } from './chunk-text-file.ts';
import { indexCoverage, reportIndexing } from './progress.ts';
import { SourceLines } from './source-lines.ts';
import { defineTool, inputOf, type ToolCall } from './tool.ts';
import { shownPath } from './shown-path.ts';

/** How many symbols are considered for one map. */
const MOST_MAPPED = 1500;

interface OutlinedSymbol {
  readonly path: string;
  readonly symbol: string;
  readonly kind: string;
  readonly line: number;
  readonly end_line: number;
  readonly signature: string;
  readonly used_by?: number;
}

export const outline = defineTool({
  name: 'outline',
  title: 'Outline a file, a folder or the repository',
  description:
    'Lists symbols with lines and signatures, without bodies. Of a file all of them; of a folder, or of the whole ' +
    'repository by default, those that other files use most. Example: {"path": "src/server", "max_tokens": 2000}. ' +
    'Use it for an overview before reading files.',
  input: inputOf({
    path: z.string().default('.').describe('A file or a folder; "." is the repository'),
    max_tokens: maxTokens(3000),
  }),
  async run({ path, max_tokens }, call) {
    const given = path === '' ? '.' : path;
    const normal = call.parts.root.normal(given);
    if (!normal.ok) return toolFailure(normal.error.message);
    const stat = await call.parts.root.stat(given);
    if (!stat.ok) return toolFailure(stat.error.message);
    const budget = new TextBudget(max_tokens);
    return stat.value.kind === 'file'
      ? outlineOfFile(normal.value, budget, call)
      : mapOfFolder(normal.value, budget, call);
  },
});

async function outlineOfFile(path: string, budget: TextBudget, { parts, signal }: ToolCall) {
  const cut = await chunkTextFile(path, parts, signal);
  if (!cut.ok) return toolFailure(cut.error);
  const { definitions, language, text } = cut.value;
  const lines = text.split(/\r?\n/);
  const known = new Set(definitions.map((one) => one.path));
  const shown: OutlinedSymbol[] = [];
  const words: string[] = [];
  for (const definition of definitions) {
    const signature = signatureAt(lines, definition.line);
    const indent = '  '.repeat(depthOf(definition, known));
    const line = `${range(definition)}| ${indent}${signature === '' ? definition.path : signature}`;
    if (!budget.take(line)) break;
    words.push(line);
    shown.push(outlined(path, definition, signature));
  }
  const rest = definitions.length - shown.length;
  return {
    kind: 'done' as const,
    text: [
      `${shownPath(path)} (${language}): ${definitions.length} symbols in ${lines.length} lines`,
      ...words,
      ...(rest > 0 ? [`${rest} more do not fit; ask with a larger max_tokens.`] : []),
    ].join('\n'),
    data: { path, language, total: definitions.length, symbols: shown },
  };
}

async function mapOfFolder(path: string, budget: TextBudget, call: ToolCall) {
  const { parts, signal } = call;
  using _ = reportIndexing(call);
  const index = await parts.index.symbols(signal);
  const { symbols, files } = index.map(path, MOST_MAPPED);
  const source = new SourceLines(parts.root);
  const byFile = new Map<string, { symbol: MappedSymbol; line: string; signature: string }[]>();
  for (const symbol of symbols) {
    const signature = signatureAt(await source.of(symbol.file), symbol.line);
    const line = `  ${range(symbol)}| ${signature === '' ? symbol.path : signature}${owner(symbol)}`;
    const known = byFile.get(symbol.file);
    if (!budget.take(known === undefined ? `${shownPath(symbol.file)}\n${line}` : line)) break;
    if (known === undefined) byFile.set(symbol.file, [{ symbol, line, signature }]);
    else known.push({ symbol, line, signature });
  }
  const listed = [...byFile].map(([file, own]) => ({
    file,
    own: own.toSorted((a, b) => a.symbol.line - b.symbol.line),
  }));
  const where = path === '' ? 'the repository' : shownPath(path);
  const coverage = await indexCoverage(parts);
  return {
    kind: 'done' as const,
    text: [
      listed.length === 0
        ? `No symbols are known in ${where}: ${files} files were read.`
        : `The most used symbols of ${where} (${files} files), by file:`,
      ...listed.flatMap(({ file, own }) => [shownPath(file), ...own.map(({ line }) => line)]),
      ...coverage.notes,
    ].join('\n'),
    data: {
      path: path === '' ? '.' : path,
      files,
      ...coverage.data,
      symbols: listed.flatMap(({ file, own }) =>
        own.map(({ symbol, signature }) => ({
          ...outlined(file, symbol, signature),
          used_by: symbol.usedBy,
        })),
      ),
    },
  };
}

function outlined(path: string, definition: SymbolDefinition, signature: string): OutlinedSymbol {
  const { path: symbol, kind, line, endLine } = definition;
  return { path, symbol, kind, line, end_line: endLine, signature };
}

function range({ line, endLine }: SymbolDefinition): string {
  return line === endLine ? `${line}` : `${line}-${endLine}`;
}

/** The full path of a symbol, if it differs from its name. */
function owner({ path, name }: SymbolDefinition): string {
  return path === name ? '' : `  (${path})`;
}

/** How many of the enclosing names are symbols of the file. */
function depthOf({ path }: SymbolDefinition, known: ReadonlySet<string>): number {
  const parts = path.split('.');
  return parts.slice(0, -1).filter((_, at) => known.has(parts.slice(0, at + 1).join('.'))).length;
}
