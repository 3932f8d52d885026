// The prompt as lines of text. The same lines before and after the drawing library is loaded, so that nothing jumps. Pure.

import type { Composer } from '../input/index.ts';
import { cursorPlace, graphemes, textColumns, wrapRows } from '../input/index.ts';
import { oneLine } from '../../print/sanitise.ts';
import { cutTo } from '../../print/width.ts';
import { paint, type Theme } from '../view/theme.ts';

export interface PromptLook {
  readonly columns: number;
  readonly theme: Theme;
  /** The maximum number of text rows. A longer text scrolls with the cursor. */
  readonly mostRows: number;
  /** The model that answers, if any. */
  readonly model: string | undefined;
}

const PLACEHOLDER = 'Ask for something, / for commands, @ for files';
const NO_MODEL_PLACEHOLDER = 'Ask for something once a model is set; / for commands';

/** How many rows of its text the prompt shows on a screen of so many rows. */
export function mostTextRows(rows: number): number {
  return Math.max(1, Math.floor(rows / 3));
}

export function promptLines(composer: Composer, look: PromptLook): readonly string[] {
  const { columns } = look;
  const rule = dim(look.theme.symbols.line.repeat(Math.max(1, columns - 1)), look);
  const body =
    composer.search === undefined ? editorLines(composer, look) : searchLines(composer, look);
  return [rule, ...body, rule];
}

function editorLines({ editor }: Composer, look: PromptLook): readonly string[] {
  const { text, cursor } = editor;
  const room = textColumns(look.columns);
  if (text === '') {
    const words = cutTo(look.model === undefined ? NO_MODEL_PLACEHOLDER : PLACEHOLDER, room - 1);
    return [
      `${look.theme.symbols.prompt} ${inverse(words.slice(0, 1) || ' ')}${dim(words.slice(1), look)}`,
    ];
  }
  const rows = wrapRows(text, room);
  const place = cursorPlace(text, rows, cursor);
  const first = Math.max(0, Math.min(place.row - look.mostRows + 1, rows.length - look.mostRows));
  return rows.slice(first, first + look.mostRows).map(({ start, end }, index) => {
    const lead = first + index === 0 ? `${look.theme.symbols.prompt} ` : '  ';
    const row = text.slice(start, end);
    return (
      lead + (first + index === place.row ? withCursor(row, cursor - start) : withoutTabs(row))
    );
  });
}

function searchLines({ search, history }: Composer, look: PromptLook): readonly string[] {
  const found = search?.index === undefined ? undefined : history[search.index];
  const query = `search: ${oneLine(search?.query ?? '')}`;
  const room = textColumns(look.columns);
  const match = found === undefined ? dim('nothing found', look) : oneLine(found, room);
  const isEmpty = search?.query === '';
  return [
    `${look.theme.symbols.prompt} ${cutTo(query, room - 1)}${inverse(' ')}`,
    `  ${isEmpty ? dim('type to search what was sent before', look) : match}`,
  ];
}

function withCursor(row: string, at: number): string {
  const [under = ' '] = graphemes(row.slice(at));
  const rest = row.slice(at + (at < row.length ? under.length : 0));
  return withoutTabs(row.slice(0, at)) + inverse(under === '\t' ? ' ' : under) + withoutTabs(rest);
}

function withoutTabs(text: string): string {
  return text.replaceAll('\t', '  ');
}

/** Reverse video instead of a colour, so that the cursor is visible on every screen. */
function inverse(text: string): string {
  return `\u001B[7m${text}\u001B[27m`;
}

function dim(text: string, { theme }: Pick<PromptLook, 'theme'>): string {
  return text === '' ? '' : paint(theme, { role: 'dim' }, text);
}
