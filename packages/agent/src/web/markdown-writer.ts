// Writes Markdown piece by piece: text with marks inside blocks, blocks inside quotes and list items, and tables. Each
// character is processed a bounded number of times, however a page is nested, since untrusted pages are converted in the
// process of the chat. Pure.

interface Container {
  /** The beginning of the first line of its first block. */
  readonly marker: string;
  /** The beginning of all other lines. */
  readonly indent: string;
  isMarked: boolean;
}

interface Table {
  readonly rows: string[][];
  /** The start of the open cell's text. */
  cell: number | undefined;
}

/** Deeper containers are not indented any further. */
const MOST_INDENTED = 8;
/** The limit of nested marks; deeper ones are left out. */
const MOST_MARKS = 16;
const MOST_COLUMNS = 40;
/** The limit of nested tables, whose text is processed once per level; deeper ones become plain text. */
const MOST_TABLES = 4;
const QUOTE = '> ';

export class MarkdownWriter {
  readonly #blocks: string[] = [];
  #length = 0;
  #inline: string[] = [];
  readonly #marks: number[] = [];
  readonly #containers: Container[] = [];
  readonly #tables: Table[] = [];
  #deeperTables = 0;

  /** The number of characters so far. */
  get length(): number {
    return this.#length;
  }

  /** Ends all open parts, and returns the text. */
  text(): string {
    while (this.#tables.length > 0) this.endTable();
    this.endBlock();
    return this.#blocks
      .join('\n')
      .replaceAll(/\n{3,}/gu, '\n\n')
      .trim();
  }

  /** Adds text to a paragraph, with white space as single spaces. */
  addText(text: string): void {
    this.#push(text.replaceAll(/[ \t\n\r\f]+/gu, ' '));
  }

  breakLine(): void {
    this.#push(this.#isInCell ? ' ' : '\n');
  }

  beginMark(): void {
    this.#marks.push(this.#inline.length);
  }

  /** Wraps the text since the beginning of the mark; spaces at its ends stay outside. */
  endMark(around: (text: string) => string): void {
    const depth = this.#marks.length;
    const from = this.#marks.pop();
    // If the block ended in the meantime, the mark is dropped.
    if (from === undefined || depth > MOST_MARKS || from >= this.#inline.length) return;
    const marked = this.#inline.splice(from).join('');
    const text = marked.trim();
    if (text === '') return void this.#inline.push(marked === '' ? '' : ' ');
    const [before, after] = [/^\s/u.test(marked) ? ' ' : '', /\s$/u.test(marked) ? ' ' : ''];
    this.#inline.push(`${before}${around(text)}${after}`);
  }

  /** Ends the open paragraph, and puts `prefix` before it. */
  endBlock(prefix = ''): void {
    if (this.#isInCell) {
      this.#push(' ');
      return;
    }
    const text = this.#inline
      .join('')
      .replaceAll(/ {2,}/gu, ' ')
      .replaceAll(/ ?\n ?/gu, '\n')
      .trim();
    this.#inline = [];
    this.#marks.length = 0;
    if (text !== '') this.#block(`${prefix}${text}`);
  }

  rule(): void {
    this.endBlock();
    if (!this.#isInCell) this.#block('---');
  }

  /** Adds a blank line between a paragraph and a list. */
  gap(): void {
    this.endBlock();
    if (!this.#isInCell && this.#containers.length === 0) this.#blocks.push('');
  }

  code(text: string, language: string): void {
    if (this.#isInCell) {
      this.addText(text);
      return;
    }
    this.endBlock();
    const fence = fenceFor(text, '```');
    this.#block(`${fence}${language}\n${text.replace(/^\n/u, '').trimEnd()}\n${fence}`);
  }

  beginQuote(): void {
    this.endBlock();
    this.#containers.push({ marker: QUOTE, indent: QUOTE, isMarked: false });
  }

  beginItem(marker: string): void {
    this.endBlock();
    this.#containers.push({ marker, indent: ' '.repeat(marker.length), isMarked: false });
  }

  /** Ends a quote or a list item. */
  endContainer(): void {
    this.endBlock();
    this.#containers.pop();
  }

  beginTable(): void {
    // A table inside a cell is part of the cell's text.
    if (!this.#isInCell) this.endBlock();
    if (this.#tables.length >= MOST_TABLES) this.#deeperTables += 1;
    else this.#tables.push({ rows: [], cell: undefined });
  }

  beginRow(): void {
    this.endCell();
    if (this.#deeperTables === 0) this.#tables.at(-1)?.rows.push([]);
  }

  beginCell(): void {
    this.endCell();
    const table = this.#tables.at(-1);
    if (table !== undefined && this.#deeperTables === 0) table.cell = this.#inline.length;
  }

  endCell(): void {
    if (this.#deeperTables > 0) {
      this.#push(' ');
      return;
    }
    const table = this.#tables.at(-1);
    if (table?.cell === undefined) return;
    const text = this.#inline.splice(table.cell).join('').replaceAll(/\s+/gu, ' ').trim();
    table.cell = undefined;
    if (table.rows.length === 0) table.rows.push([]);
    const row = table.rows.at(-1);
    if (row !== undefined && row.length < MOST_COLUMNS) row.push(text);
  }

  endTable(): void {
    this.endCell();
    if (this.#deeperTables > 0) {
      this.#deeperTables -= 1;
      return;
    }
    const table = this.#tables.pop();
    const rows = table?.rows.filter((row) => row.some((cell) => cell !== '')) ?? [];
    if (this.#isInCell) {
      this.#push(` ${rows.map((row) => row.join(' ')).join(' ')} `);
      return;
    }
    this.endBlock();
    if (rows.length > 0) this.#block(tableText(rows));
  }

  get #isInCell(): boolean {
    return this.#tables.some(({ cell }) => cell !== undefined);
  }

  #push(text: string): void {
    this.#inline.push(text);
    this.#length += text.length;
  }

  #block(text: string): void {
    const shown = this.#containers.slice(0, MOST_INDENTED);
    const rest = shown.map(({ indent }) => indent).join('');
    const open = shown.filter(({ isMarked }) => isMarked);
    const isItem = shown.some(({ isMarked, marker }) => !isMarked && marker !== QUOTE);
    const first = shown.map((one) => (one.isMarked ? one.indent : one.marker)).join('');
    for (const one of shown) one.isMarked = true;
    const [head = '', ...tail] = text.split('\n');
    const lines = [`${first}${head}`, ...tail.map((line) => `${rest}${line}`.trimEnd())];
    // No blank line between list items.
    const gap = isItem
      ? []
      : [
          open
            .map(({ indent }) => indent)
            .join('')
            .trimEnd(),
        ];
    this.#blocks.push(...gap, ...lines);
    this.#length += rest.length * lines.length;
  }
}

/** The first row is the header, which Markdown requires. */
function tableText(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  if (columns === 1) return rows.map(([cell = '']) => cell).join('\n\n');
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, at) => (cells[at] ?? '').replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n');
}

/** A fence for code that contains backticks. */
export function fenceFor(text: string, fence: string): string {
  const runs = text.match(/`+/gu) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0);
  return longest < fence.length ? fence : '`'.repeat(longest + 1);
}
