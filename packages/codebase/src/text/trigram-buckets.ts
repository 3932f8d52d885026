// Maps text to the buckets of the index: every three bytes within a line, with the case of ASCII letters folded, belong to
// one of about a million buckets. A collision can make a search read a file in vain, but never miss one. Pure.

const BUCKET_BITS = 20;
export const BUCKETS = 2 ** BUCKET_BITS;
const SCATTER = 0x9e3779b1;
const LINE_FEED = 0x0a;

const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

export function bucketOfGram(gram: string): number {
  const [a = 0, b = 0, c = 0] = Buffer.from(gram, 'latin1');
  return bucketOf(((FOLDED[a] ?? 0) << 16) | ((FOLDED[b] ?? 0) << 8) | (FOLDED[c] ?? 0));
}

function bucketOf(gram: number): number {
  return Math.imul(gram, SCATTER) >>> (32 - BUCKET_BITS);
}

/** How the index treats a file. */
export type FileClass =
  /** Indexed by its buckets. */
  | 'text'
  /** Not indexed, so it may always match. */
  | 'always'
  /** Binary, and skipped by ripgrep too. */
  | 'never';

const SNIFFED_BYTES = 8192;
/** Without regard to case these match `k` and `s`, which folding bytes does not cover. */
const LETTERS_OF_OTHER_LENGTH = [Buffer.from('\u212a'), Buffer.from('\u017f')];

export function classOf(bytes: Buffer): FileClass {
  const [first, second] = bytes;
  // Ripgrep reads UTF-16 with a byte order mark as text.
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) return 'always';
  const nul = bytes.indexOf(0);
  // After the beginning, ripgrep may report matches before it reaches the NUL.
  if (nul !== -1) return nul < SNIFFED_BYTES ? 'never' : 'always';
  return LETTERS_OF_OTHER_LENGTH.some((letter) => bytes.includes(letter)) ? 'always' : 'text';
}

/** Collects the buckets of files one after another, each bucket once per file. */
export class BucketCollector {
  readonly #seen = new Uint32Array(BUCKETS);
  #file = 0;

  /** Writes the buckets to `into` from `at` on, where `BUCKETS` must fit. Returns their end. */
  collect(bytes: Uint8Array, into: Uint32Array, at: number): number {
    this.#file += 1;
    const seen = this.#seen;
    const file = this.#file;
    let end = at;
    let gram = 0;
    let length = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = FOLDED[bytes[index] as number] as number;
      if (byte === LINE_FEED) {
        length = 0;
        continue;
      }
      gram = ((gram << 8) | byte) & 0xffffff;
      length += 1;
      if (length < 3) continue;
      const bucket = Math.imul(gram, SCATTER) >>> (32 - BUCKET_BITS);
      if (seen[bucket] === file) continue;
      seen[bucket] = file;
      into[end] = bucket;
      end += 1;
    }
    return end;
  }
}
