// Splits Markdown into independent blocks, line by line. While text arrives, only the last block can change, so all others are
// drawn once.

/** Longer blocks are split if possible, so that no text is slow to parse. */
const LONG_BLOCK = 8000;

const FENCE = /^ {0,12}(?:[-*+>]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})([^`]*)$/;
const LIST_LIKE = /^(?:[-*+](?:\s|$)|\d{1,9}(?:[.)]|$)|$)/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

export function blocksOf(text: string): readonly string[] {
  const scan = new BlockScan();
  for (const line of text.split('\n')) scan.add(line);
  return scan.blocks();
}

export interface Split {
  /** The finished blocks, which will not change. */
  readonly stable: string;
  readonly rest: string;
}

/** `stable` and `rest` together are exactly the text. */
export function splitStable(text: string): Split {
  const last = blocksOf(text).at(-1) ?? '';
  const cut = last === '' ? 0 : text.length - last.length;
  return { stable: text.slice(0, cut), rest: text.slice(cut) };
}

class BlockScan {
  readonly #done: string[] = [];
  #lines: string[] = [];
  #size = 0;
  #fence = '';
  #isList = false;
  #isTable = false;
  #wasBlank = true;
  #isEmpty = true;

  add(line: string): void {
    if (this.#begins(line)) this.#finish();
    if (this.#isEmpty) {
      this.#isList = LIST_ITEM.test(line);
      this.#isTable = line.startsWith('|');
    }
    this.#lines.push(line);
    this.#size += line.length + 1;
    this.#isEmpty &&= isBlank(line);
    this.#wasBlank = this.#fence === '' && isBlank(line);
    this.#follow(line);
  }

  /** All blocks; the last one may be incomplete. Blank lines belong to the block before them. */
  blocks(): readonly string[] {
    return [...this.#done, this.#lines.join('\n')];
  }

  #begins(line: string): boolean {
    if (this.#fence !== '' || isBlank(line) || /^\s/.test(line)) return false;
    if (this.#isEmpty) return false;
    if (this.#wasBlank) return !this.#isList || !LIST_LIKE.test(line);
    return this.#size > LONG_BLOCK && !this.#isTable;
  }

  #finish(): void {
    this.#done.push(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#size = 0;
    this.#isEmpty = true;
  }

  #follow(line: string): void {
    const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
    if (mark === '') return;
    if (this.#fence === '') this.#fence = mark;
    else if (mark.startsWith(this.#fence) && info.trim() === '') this.#fence = '';
  }
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
