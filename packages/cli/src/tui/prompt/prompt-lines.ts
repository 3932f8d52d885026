// The prompt as lines of text: the same before and after the drawing library is loaded, so that nothing jumps when it
// takes over. Pure.

import type { Composer } from '../input/index.ts';
import { cursorPlace, graphemes, textColumns, wrapRows } from '../input/index.ts';
import { oneLine } from '../../print/sanitise.ts';
import { cutTo } from '../../print/width.ts';
import { paint, type Theme } from '../view/theme.ts';

export interface PromptLook {
  readonly columns: number;
  readonly theme: Theme;
  /** Of the text; more scroll with the cursor. */
  readonly mostRows: number;
  /** Which model answers, where there is one. */
  readonly model: string | undefined;
}

const PLACEHOLDER = 'Ask for something, / for commands, @ for files';
const NOBODY_TO_ASK = 'Ask for something once a model is set; / for commands';

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
    const words = cutTo(look.model === undefined ? NOBODY_TO_ASK : PLACEHOLDER, room - 1);
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

/** No colour: it shows where the cursor is on every screen. */
function inverse(text: string): string {
  return `\u001B[7m${text}\u001B[27m`;
}

function dim(text: string, { theme }: Pick<PromptLook, 'theme'>): string {
  return text === '' ? '' : paint(theme, { role: 'dim' }, text);
}
