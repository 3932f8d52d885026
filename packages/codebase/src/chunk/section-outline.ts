// Where documents and data may be cut: before the headings of Markdown and similar formats, the tables of TOML, the
// top-level keys of YAML and JSON, and the cells of notebooks. A section is named after its heading.

import type { Boundary, Declaration, Outline } from './chunk.ts';
import type { LanguageName } from './languages/table.ts';

interface Heading {
  /** From 1; a section contains the following ones with a higher level. */
  readonly level: number;
  readonly title: string;
}

type ReadHeading = (line: string, next: string) => Heading | undefined;

const READERS: Partial<Readonly<Record<LanguageName, () => ReadHeading>>> = {
  markdown: markdownHeadings,
  asciidoc: () => (line) => hashed(/^(={1,6})\s+(.+)$/.exec(line)),
  restructuredtext: () => underlined,
  toml: () => (line) => titled(1, /^\s*\[\[?([^\]]+)\]\]?\s*(?:#.*)?$/.exec(line)?.[1]),
  yaml: () => (line) =>
    titled(1, /^["']?([^\s"'#:{}[\],&*!|>%@-][^"'#:]*)["']?\s*:(?:\s|$)/.exec(line)?.[1]),
  json: jsonKeys,
  notebook: notebookCells,
};

/** A line within a section is a worse place to cut than any heading. */
const WITHIN_SECTION = 10;
const MOST_OF_LINE = 400;
const MOST_OF_TITLE = 120;

export function hasSections(language: LanguageName): boolean {
  return Object.hasOwn(READERS, language);
}

export function outlineOfSections(text: string, language: LanguageName): Outline {
  const readHeading = READERS[language]?.() ?? (() => undefined);
  const boundaries: Boundary[] = [];
  const open: { start: number; heading: Heading }[] = [];
  const found: { start: number; end: number; heading: Heading; around: readonly Heading[] }[] = [];
  let wasBlank = true;
  for (let start = 0; start < text.length;) {
    const end = lineEnd(text, start);
    const line = lineAt(text, start, end);
    const heading = readHeading(line, lineAt(text, end, lineEnd(text, end)));
    if (heading !== undefined) {
      while (open.length > 0 && (open.at(-1)?.heading.level ?? 0) >= heading.level) open.pop();
      found.push({ start, end: 0, heading, around: open.map((one) => one.heading) });
      open.push({ start, heading });
      if (start > 0) boundaries.push({ offset: start, depth: heading.level });
    } else if (start > 0 && line !== '') {
      const indent = Math.min(line.search(/\S|$/), WITHIN_SECTION);
      boundaries.push({ offset: start, depth: WITHIN_SECTION + indent + (wasBlank ? 0 : 1) });
    }
    wasBlank = line.trim() === '';
    start = end;
  }
  return { boundaries, declarations: withEnds(found, text.length) };
}

function withEnds(
  found: readonly { start: number; heading: Heading; around: readonly Heading[] }[],
  length: number,
): readonly Declaration[] {
  const open: { index: number; level: number }[] = [];
  const ends = found.map(() => length);
  found.forEach(({ start, heading }, index) => {
    for (
      let last = open.at(-1);
      last !== undefined && last.level >= heading.level;
      last = open.at(-1)
    ) {
      ends[last.index] = start;
      open.pop();
    }
    open.push({ index, level: heading.level });
  });
  return found.map(({ start, heading, around }, index): Declaration => ({
    start,
    end: ends[index] ?? length,
    kind: 'section',
    names: [heading.title],
    symbol: heading.title,
    depth: around.length,
  }));
}

/** `# Title`, or an underlined title; not within fenced code or the front matter. */
function markdownHeadings(): ReadHeading {
  let fence: string | undefined;
  let isFirst = true;
  return (line, next) => {
    const wasFirst = isFirst;
    isFirst = false;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true || (fence === '---' && line === '---'))
        fence = undefined;
      return undefined;
    }
    if (wasFirst && line === '---') fence = '---';
    else if (mark !== undefined) fence = mark;
    if (fence !== undefined) return undefined;
    if (/^ {0,3}(?:=+|-{2,})\s*$/.test(next) && /^ {0,3}[\p{L}\p{N}]/u.test(line)) {
      return titled(next.trim().startsWith('=') ? 1 : 2, line);
    }
    return hashed(/^ {0,3}(#{1,6})\s+(.+?)(?:\s+#+)?\s*$/.exec(line));
  };
}

/** Keys with the indentation of the first key. */
function jsonKeys(): ReadHeading {
  let top: string | undefined;
  return (line) => {
    const [, indent, key] = /^(\s+)"((?:[^"\\]|\\.)*)"\s*:/.exec(line) ?? [];
    if (indent === undefined) return undefined;
    top ??= indent;
    return indent === top ? titled(1, key) : undefined;
  };
}

/** A cell begins with the brace before its type, as Jupyter writes it. */
function notebookCells(): ReadHeading {
  let cells = 0;
  return (line, next) => {
    const kind = /^\s*\{\s*$/.test(line)
      ? /^\s*"cell_type"\s*:\s*"(\w+)"/.exec(next)?.[1]
      : undefined;
    if (kind === undefined) return undefined;
    cells += 1;
    return { level: 1, title: `cell ${cells} (${kind})` };
  };
}

function underlined(line: string, next: string): Heading | undefined {
  if (!/^([=\-~^"'*+#])\1{2,}\s*$/.test(next) || line.trim() === '') return undefined;
  const levels = '=-~^"\'*+#';
  return next.length >= line.length ? titled(levels.indexOf(next.charAt(0)) + 1, line) : undefined;
}

function hashed(match: RegExpExecArray | null): Heading | undefined {
  return titled(match?.[1]?.length ?? 1, match?.[2]);
}

function titled(level: number, title: string | undefined): Heading | undefined {
  const plain = title?.trim().slice(0, MOST_OF_TITLE);
  return plain === undefined || plain === '' ? undefined : { level, title: plain };
}

function lineEnd(text: string, start: number): number {
  const feed = text.indexOf('\n', start);
  return feed < 0 ? text.length : feed + 1;
}

function lineAt(text: string, start: number, end: number): string {
  return text.slice(start, Math.min(end, start + MOST_OF_LINE)).replace(/^\uFEFF|\r?\n$/g, '');
}
