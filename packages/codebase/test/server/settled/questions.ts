// Questions about a tree for two servers, and the parts of their answers that depend only on the tree.

import type { Client } from '@modelcontextprotocol/client';
import type { Random } from './random.ts';
import { capital, someName, WORDS } from './sample-code.ts';

export interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What questions about a tree can name. */
export interface Askable {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

export function questionsAbout({ files, folders }: Askable, random: Random): readonly Question[] {
  const file = (): string => (files.length === 0 ? 'missing.ts' : random.pick(files));
  const folder = (): string => (folders.length === 0 ? '.' : random.pick(folders));
  const words = (count: number): string => random.some(WORDS, count).join(' ');
  const type = capital(random.pick(WORDS));
  const lexical: readonly Question['args'][] = [
    { query: random.pick(WORDS), max_results: 1000 },
    { query: someName(random), word: true },
    { query: `${random.pick(WORDS)}\\w+\\(`, regex: true, case: 'sensitive', max_results: 30 },
    { query: random.pick(WORDS), globs: [folder()], context_lines: 1 },
    { query: random.pick(WORDS), languages: ['ts'], globs: ['!flood-1'] },
    { query: 'return .*\\n}', regex: true, multiline: true, languages: ['ts'] },
  ];
  const ranked: readonly Question['args'][] = [
    { query: words(3), max_results: 30 },
    { query: someName(random) },
    { query: `where is the ${words(2)} handled`, max_results: 50 },
    { query: words(2), globs: [folder()] },
    { query: words(2), languages: ['py'] },
    { query: 'tea with the queen of hearts' },
  ];
  const symbols: readonly Question['args'][] = [
    { name: someName(random), references: 'all', max_results: 1000, max_tokens: 20_000 },
    { name: someName(random), references: 'callers' },
    { name: `${type}.${someName(random)}` },
    { name: type, references: 'all', max_results: 1000, max_tokens: 20_000 },
    { name: someName(random).toUpperCase() },
    { name: type, path: folder() },
  ];
  const of = (tool: string, all: readonly Question['args'][]): readonly Question[] =>
    all.map((args) => ({ tool, args }));
  return [
    { tool: 'index_status', args: {} },
    { tool: 'codebase://files', args: {} },
    ...of('search_code', lexical),
    ...of('search_by_embedding', ranked),
    ...of('find_symbol', symbols),
    ...of('outline', [{ path: '.', max_tokens: 20_000 }, { path: folder() }, { path: file() }]),
    ...of('list_directory', [{ path: '.' }, { path: folder() }, { find: words(1).slice(1) }]),
  ];
}

/** Fields that differ between two indexes of the same tree. */
const OWN = new Set(['bytes', 'memory_bytes', 'done', 'total_done', 'notes', 'phase']);

export async function answerTo({ tool, args }: Question, client: Client): Promise<unknown> {
  if (tool.includes('://')) {
    const { contents } = await client.readResource({ uri: tool });
    return contents;
  }
  const result = await client.callTool({ name: tool, arguments: { ...args } });
  const data = result._meta?.['plugboard/data'] ?? {};
  if (tool !== 'index_status') return { isError: result.isError, data, text: result.content };
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => !OWN.has(name) && name !== 'total'),
  );
}
