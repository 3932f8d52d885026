// Converts HTML to Markdown for a model: what a reader of the page would see, without scripts, styles, pictures and hidden
// parts. The parser streams without a tree, so that no page can make it slow or overflow the stack; see decision 111.

import { isUrl } from '@plugboard/base';
import { fenceFor, MarkdownWriter } from './markdown-writer.ts';

export interface HtmlText {
  readonly title: string;
  readonly text: string;
  /** The page exceeds a limit, so only its beginning was converted. */
  readonly isCut: boolean;
}

export interface HtmlLimits {
  readonly characters: number;
  readonly depth: number;
}

/** More than any reader would read. */
const LIMITS: HtmlLimits = { characters: 1_000_000, depth: 1000 };

/** The number of characters between two checks of the limits. */
const SLICE = 16 * 1024;

export async function htmlToMarkdown(
  html: string,
  base: URL,
  limits: HtmlLimits = LIMITS,
): Promise<HtmlText> {
  const { Parser } = await import('htmlparser2');
  const page = new Page(base);
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    onclosetag: (name) => page.close(name),
    ontext: (text) => page.text(text),
  });
  let at = 0;
  const isFull = (): boolean => page.length > limits.characters || page.depth > limits.depth;
  for (; at < html.length && !isFull(); at += SLICE) parser.write(html.slice(at, at + SLICE));
  const isCut = isFull() && at < html.length;
  if (!isCut) parser.end();
  return { title: page.title, text: page.markdown(), isCut };
}

const SKIPPED = new Set(
  'script style noscript template svg math iframe object embed canvas audio video select textarea dialog'.split(
    ' ',
  ),
);

const BLOCKS = new Set(
  'address article aside body caption center details dd div dl dt fieldset figcaption figure footer form header hgroup html legend main nav p section summary'.split(
    ' ',
  ),
);

const HEADING = /^h([1-6])$/u;

/** Elements without content and end tag. */
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  em: '*',
  i: '*',
  cite: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};

interface List {
  readonly isOrdered: boolean;
  next: number;
}

class Page {
  readonly #base: URL;
  readonly #writer = new MarkdownWriter();
  readonly #lists: List[] = [];
  readonly #links: (string | undefined)[] = [];
  #depth = 0;
  /** The depth of the element that is being skipped. */
  #skippedFrom: number | undefined;
  #title = '';
  #isTitle = false;
  #code: { text: string; language: string } | undefined;

  constructor(base: URL) {
    this.#base = base;
  }

  get depth(): number {
    return this.#depth;
  }

  get length(): number {
    return this.#writer.length + (this.#code?.text.length ?? 0);
  }

  get title(): string {
    return this.#title.replaceAll(/\s+/gu, ' ').trim().slice(0, 300);
  }

  markdown(): string {
    if (this.#code !== undefined) this.#endCode();
    return this.#writer.text();
  }

  text(text: string): void {
    if (this.#skippedFrom !== undefined) return;
    if (this.#isTitle) this.#title += text.slice(0, 300);
    else if (this.#code === undefined) this.#writer.addText(text);
    else this.#code.text += text;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (!VOID.has(name)) this.#depth += 1;
    if (this.#skippedFrom !== undefined) return;
    if (SKIPPED.has(name) || isHidden(attributes)) {
      if (!VOID.has(name)) this.#skippedFrom = this.#depth;
      return;
    }
    if (this.#code === undefined) this.#begin(name, attributes);
    else if (name === 'code') this.#code.language ||= languageOf(attributes);
    else if (name === 'br') this.#code.text += '\n';
  }

  close(name: string): void {
    if (VOID.has(name)) return;
    const depth = this.#depth;
    this.#depth -= 1;
    if (this.#skippedFrom !== undefined) {
      if (depth <= this.#skippedFrom) this.#skippedFrom = undefined;
      return;
    }
    if (this.#code === undefined) this.#end(name);
    else if (name === 'pre') this.#endCode();
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    const writer = this.#writer;
    if (BLOCKS.has(name) || HEADING.test(name)) writer.endBlock();
    else if (Object.hasOwn(MARKS, name)) writer.beginMark();
    else this.#beginOther(name, attributes);
  }

  #beginOther(name: string, attributes: Readonly<Record<string, string>>): void {
    const writer = this.#writer;
    switch (name) {
      case 'title':
        this.#isTitle = true;
        break;
      case 'br':
        writer.breakLine();
        break;
      case 'hr':
        writer.rule();
        break;
      case 'img':
        if (attributes['alt']?.trim())
          writer.addText(`[image: ${attributes['alt'].slice(0, 300)}]`);
        break;
      case 'a':
        this.#links.push(this.#addressOf(attributes['href']));
        writer.beginMark();
        break;
      case 'code':
      case 'kbd':
      case 'samp':
        writer.beginMark();
        break;
      case 'pre':
        writer.endBlock();
        this.#code = { text: '', language: languageOf(attributes) };
        break;
      case 'blockquote':
        writer.beginQuote();
        break;
      default:
        this.#beginParts(name, attributes);
    }
  }

  #beginParts(name: string, attributes: Readonly<Record<string, string>>): void {
    const writer = this.#writer;
    switch (name) {
      case 'ul':
      case 'ol':
      case 'menu':
        writer.gap();
        this.#lists.push({ isOrdered: name === 'ol', next: Number(attributes['start'] ?? 1) || 1 });
        break;
      case 'li': {
        const list = this.#lists.at(-1);
        writer.beginItem(list?.isOrdered === true ? `${list.next}. ` : '- ');
        if (list !== undefined) list.next += 1;
        break;
      }
      case 'table':
        writer.beginTable();
        break;
      case 'tr':
        writer.beginRow();
        break;
      case 'td':
      case 'th':
        writer.beginCell();
        break;
      default:
    }
  }

  #end(name: string): void {
    const writer = this.#writer;
    const heading = HEADING.exec(name);
    const mark = Object.hasOwn(MARKS, name) ? MARKS[name] : undefined;
    if (heading !== null) writer.endBlock(`${'#'.repeat(Number(heading[1]))} `);
    else if (BLOCKS.has(name)) writer.endBlock();
    else if (mark !== undefined) writer.endMark((text) => `${mark}${text}${mark}`);
    else this.#endOther(name);
  }

  #endOther(name: string): void {
    const writer = this.#writer;
    switch (name) {
      case 'title':
        this.#isTitle = false;
        break;
      case 'a': {
        const address = this.#links.pop();
        writer.endMark((text) => (address === undefined ? text : `[${text}](${address})`));
        break;
      }
      case 'code':
      case 'kbd':
      case 'samp':
        writer.endMark((text) => {
          const fence = fenceFor(text, '`');
          return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
        });
        break;
      case 'ul':
      case 'ol':
      case 'menu':
        writer.endBlock();
        this.#lists.pop();
        break;
      case 'li':
      case 'blockquote':
        writer.endContainer();
        break;
      case 'td':
      case 'th':
      case 'tr':
        writer.endCell();
        break;
      case 'table':
        writer.endTable();
        break;
      default:
    }
  }

  #endCode(): void {
    const { text, language } = this.#code ?? { text: '', language: '' };
    this.#code = undefined;
    this.#writer.code(text, language);
  }

  /** The address of a link; `undefined` if only a browser could follow it. */
  #addressOf(href: string | undefined): string | undefined {
    if (href === undefined || href.length > 2000 || href.startsWith('#')) return undefined;
    if (!isUrl(href, this.#base.href)) return undefined;
    const url = new URL(href, this.#base);
    return /^https?:$/u.test(url.protocol) ? url.href : undefined;
  }
}

/** Text that a reader of the page does not see is not passed to the model. */
function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  return (
    attributes['hidden'] !== undefined ||
    attributes['aria-hidden'] === 'true' ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden)/iu.test(
      attributes['style']?.slice(0, 1000) ?? '',
    )
  );
}

function languageOf(attributes: Readonly<Record<string, string>>): string {
  return (
    /\blang(?:uage)?-([\w+#-]{1,20})/u.exec(attributes['class']?.slice(0, 200) ?? '')?.[1] ?? ''
  );
}
