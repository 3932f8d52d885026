// Finds the script in a component or a page, so that it can be parsed with the grammar of its language. The text around
// it is cut between lines, preferably at the tags at the margin.

import type { Boundary, Declaration, Outline } from './chunk.ts';
import type { GrammarName } from './languages/grammars.ts';
import type { LanguageName } from './languages/table.ts';
import { outlineOfLines } from './line-outline.ts';

export interface EmbeddedCode {
  readonly language: GrammarName;
  /** As long as the file: everything but the script is blank. */
  readonly code: string;
  /** The outline of the whole file, made from that of the code. */
  around(outline: Outline): Outline;
}

const HOSTS: ReadonlySet<string> = new Set<LanguageName>(['vue', 'svelte', 'astro', 'html']);
const SCRIPT = /^<script\b([^>\n]*)>/gim;
const FRONT = /^---\r?\n([^]*?)^---/m;
const MARGIN_TAG = /^<([A-Za-z][\w-]*)\b/gm;

export function embeddedCode(text: string, language: LanguageName): EmbeddedCode | undefined {
  if (!HOSTS.has(language)) return undefined;
  const scripts = language === 'astro' ? frontMatter(text) : scriptsOf(text);
  if (scripts.length === 0) return undefined;
  const isTyped = language === 'astro' || scripts.some(({ tag }) => /\bts\b|typescript/.test(tag));
  const isTsx = scripts.some(({ tag }) => /\btsx\b/.test(tag));
  return {
    language: isTsx ? 'tsx' : isTyped ? 'typescript' : 'javascript',
    code: onlyScripts(text, scripts),
    around: (outline) => aroundScripts(text, scripts, outline),
  };
}

interface Script {
  readonly start: number;
  readonly end: number;
  readonly tag: string;
}

function scriptsOf(text: string): readonly Script[] {
  const scripts: Script[] = [];
  const closings = new Closings(text);
  for (const { index, 0: whole, 1: tag = '' } of text.matchAll(SCRIPT)) {
    const start = index + whole.length;
    const end = closings.after(start, 'script');
    if (end === undefined) break;
    if (start >= (scripts.at(-1)?.end ?? 0)) scripts.push({ start, end: end + 1, tag });
  }
  return scripts;
}

function frontMatter(text: string): readonly Script[] {
  const match = FRONT.exec(text);
  if (match === null || match.index !== 0) return [];
  const start = match[0].indexOf('\n') + 1;
  return [{ start, end: start + (match[1]?.length ?? 0), tag: '' }];
}

function onlyScripts(text: string, scripts: readonly Script[]): string {
  let code = '';
  for (const { start, end } of scripts) {
    code += blank(text.slice(code.length, start)) + text.slice(start, end);
  }
  return code + blank(text.slice(code.length));
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}

function aroundScripts(text: string, scripts: readonly Script[], outline: Outline): Outline {
  const isInside = ({ offset }: Boundary): boolean =>
    scripts.some(({ start, end }) => offset >= start && offset < end);
  const tags = new Set([...text.matchAll(MARGIN_TAG)].map(({ index }) => index));
  const inside = outline.boundaries
    .filter(isInside)
    .map(({ offset, depth }) => ({ offset, depth: depth + 1 }));
  const outside = outlineOfLines(text, 'nothing')
    .boundaries.filter((one) => !isInside(one) && !text.startsWith('</', one.offset))
    .map(({ offset, depth }) => ({ offset, depth: tags.has(offset) ? 0 : depth + 2 }));
  const boundaries = [...inside, ...outside].toSorted((a, b) => a.offset - b.offset);
  const closings = new Closings(text);
  const sections = [...text.matchAll(MARGIN_TAG)]
    .filter(({ index }) => !isInside({ offset: index, depth: 0 }))
    .map(({ index, 0: whole, 1: tag = '' }): Declaration => ({
      start: index,
      end: closings.after(index, tag) ?? text.length,
      kind: 'section',
      names: [],
      symbol: whole.slice(1),
      depth: 1000,
    }));
  const declarations = [...sections, ...outline.declarations].toSorted((a, b) => a.start - b.start);
  return { ...outline, boundaries, declarations };
}

/** Where tags at the margin are closed. Each closing tag is searched for once, however many tags are open. */
class Closings {
  readonly #text: string;
  readonly #found = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The line feed before `</tag>`, for offsets that only grow. */
  after(offset: number, tag: string): number | undefined {
    const known = this.#found.get(tag);
    if (known === undefined || known < offset) {
      const at = this.#text.indexOf(`\n</${tag}>`, offset);
      this.#found.set(tag, at < 0 ? Number.POSITIVE_INFINITY : at);
    }
    const found = this.#found.get(tag) ?? Number.POSITIVE_INFINITY;
    return Number.isFinite(found) ? found : undefined;
  }
}
