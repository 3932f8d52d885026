// Reads web pages for a model, one part at a time. Recent pages are cached for a while, so that the parts of a page fit
// together. The host's network decides which addresses may be read at all; the approval of the call comes before.

import { createHash } from 'node:crypto';
import { cutPoint, err, isUrl, ok, type Result } from '@plugboard/base';
import { getPage, type GetPageOptions, type PageProblem } from '@plugboard/host';
import { type PageText, pageText } from './page-text.ts';

export type WebPagesOptions = Pick<GetPageOptions, 'environment' | 'clock'>;

export interface PageRequest {
  readonly url: string;
  /** The end of the last part. */
  readonly cursor?: string | undefined;
  /** The approximate size of the part. */
  readonly tokens: number;
}

export interface PagePart {
  /** The address after redirects. */
  readonly url: string;
  readonly title: string;
  readonly text: string;
  /** In characters of the whole page. */
  readonly from: number;
  readonly to: number;
  readonly length: number;
  /** For the next part, if there is one. */
  readonly cursor: string | undefined;
  readonly isCut: boolean;
}

const MOST_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MOST_KEPT = 8;
const KEPT_MS = 15 * 60_000;
const CHARACTERS_PER_TOKEN = 4;

const HEADERS = {
  accept: 'text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.7, */*;q=0.1',
  'user-agent': 'plugboard',
};

interface KeptPage extends PageText {
  readonly url: string;
  readonly digest: string;
  readonly at: number;
}

export class WebPages {
  readonly #options: WebPagesOptions;
  /** By the requested address; the latest page is the last. */
  readonly #cache = new Map<string, KeptPage>();

  constructor(options: WebPagesOptions) {
    this.#options = options;
  }

  /** The error says in words what went wrong and what may help. */
  async read(request: PageRequest, signal: AbortSignal): Promise<Result<PagePart, string>> {
    if (!isUrl(request.url))
      return err('that is not a complete address, such as https://example.com/page');
    const place = placeOf(request.cursor);
    if (place === undefined) return err('there is no such cursor; begin without one');
    const page = await this.#page(new URL(request.url), signal);
    if (!page.ok) return page;
    const { digest, text } = page.value;
    if (place.digest !== undefined && place.digest !== digest) {
      return err('the page has changed since its last part was read; begin again without a cursor');
    }
    if (place.from > text.length) return err('there is no such cursor; begin without one');
    return ok(partOf(page.value, place.from, request.tokens * CHARACTERS_PER_TOKEN));
  }

  async #page(url: URL, signal: AbortSignal): Promise<Result<KeptPage, string>> {
    const { clock } = this.#options;
    const key = url.href;
    const known = this.#cache.get(key);
    if (known !== undefined && clock.elapsed() - known.at < KEPT_MS) return ok(known);
    const read = await this.#fetch(url, signal);
    if (!read.ok) return read;
    this.#cache.delete(key);
    this.#cache.set(key, read.value);
    for (const oldest of [...this.#cache.keys()].slice(0, -MOST_KEPT)) this.#cache.delete(oldest);
    return read;
  }

  async #fetch(url: URL, signal: AbortSignal): Promise<Result<KeptPage, string>> {
    const bounds = { headers: HEADERS, maxBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS, signal };
    const got = await getPage(url, { ...this.#options, ...bounds });
    if (!got.ok) return err(problemWords(got.error));
    const { status } = got.value;
    if (status >= 400) return err(`the server answered with status ${status}`);
    const read = await pageText(got.value);
    if (!read.ok) return read;
    const { text } = read.value;
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
    const at = this.#options.clock.elapsed();
    return ok({ ...read.value, url: got.value.url.href, digest, at });
  }
}

interface Place {
  readonly from: number;
  readonly digest?: string;
}

function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return { from: 0 };
  const [, from, digest] = /^(\d{1,9})-([\da-f]{12})$/u.exec(cursor) ?? [];
  return from === undefined || digest === undefined ? undefined : { from: Number(from), digest };
}

function partOf(page: KeptPage, from: number, characters: number): PagePart {
  const { url, title, text, digest, isCut } = page;
  const to = endOfPart(text, from, characters);
  return {
    ...{ url, title, isCut, from, to },
    text: text.slice(from, to),
    length: text.length,
    cursor: to < text.length ? `${to}-${digest}` : undefined,
  };
}

/** At the end of a line, if there is one in its second half, and never inside a character. */
function endOfPart(text: string, from: number, characters: number): number {
  const end = from + characters;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  if (line > from + characters / 2) return line;
  return cutPoint(text, end);
}

function problemWords(problem: PageProblem): string {
  switch (problem.kind) {
    case 'not-a-url':
      return 'that is not a complete address';
    case 'scheme':
      return `only http and https can be read, not ${problem.scheme.replace(/:$/u, '')}`;
    case 'credentials':
      return 'an address with a user name or a password in it is not read';
    case 'address':
      return `it leads to ${problem.address} (${problem.range}), and only public addresses are read; run_command can reach a server of this machine, if the user allows it`;
    case 'inner-name':
      return 'its host is known in an inner network only, and only public addresses are read';
    case 'redirected':
      return 'it redirects too often';
    case 'other-origin':
      return `it redirects to another site, which was not asked for anything: call web_fetch with ${problem.to.href.slice(0, 2000)} if that is meant`;
    case 'too-large':
      return `it has more than ${problem.limit} bytes`;
    case 'timed-out':
      return `it took longer than ${problem.ms} ms`;
    case 'unreachable':
      return `it cannot be reached (${problem.code})`;
    default:
      throw new RangeError(`no such problem: ${JSON.stringify(problem satisfies never)}`);
  }
}
