// Decides whether a regular expression from a server is safe to run. Matching in JavaScript backtracks, so an expression
// like `(a+)+$` can keep the whole program busy for years on thirty letters. An upper bound for the number of ways to
// match is computed; in case of doubt, the expression is rejected.

/** Longer texts are not matched at all. */
export const MAX_MATCHED_LENGTH = 256;
/** About a tenth of a second: three repeats without end on the longest text. */
const MAX_WAYS = MAX_MATCHED_LENGTH ** 3;
const MAX_PATTERN_LENGTH = 1000;

/** Tame: few ways to match, no back reference, and no repetition of what can match in several ways. */
export function isTamePattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false;
  const reading = new PatternReader(pattern.startsWith('^') ? 1 : MAX_MATCHED_LENGTH);
  for (let index = 0; index < pattern.length;) {
    const step = reading.read(pattern, index);
    if (step === undefined || reading.ways > MAX_WAYS) return false;
    index += step;
  }
  return true;
}

const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const CLASS = /\[(?:[^\]\\]|\\[^])*\]/y;

/** One pass over the expression. */
class PatternReader {
  /** An upper bound for the ways to match what was read so far. */
  ways: number;
  /** For each open group, whether what it holds can match in several ways. */
  readonly #open: { varies: boolean }[] = [];
  /** The same for the item just read, which a quantifier would repeat. */
  #lastVaries = false;

  /** `starts`: the number of places in a text at which a match may begin. */
  constructor(starts: number) {
    this.ways = starts;
  }

  /** How many characters were read, or `undefined` when the expression is not tame. */
  read(pattern: string, index: number): number | undefined {
    switch (pattern[index]) {
      case '\\':
        // `\1` and `\k<name>` refer back.
        return /[1-9k]/.test(pattern[index + 1] ?? 'k') ? undefined : this.#item(2);
      case '[':
        return this.#item(matchAt(CLASS, pattern, index)?.[0].length);
      case '(':
        this.#open.push({ varies: false });
        return 1;
      case ')':
        return this.#closeGroup();
      case '|':
        this.#vary(2);
        return 1;
      case '*':
      case '+':
      case '?':
      case '{':
        return this.#quantify(pattern, index);
      default:
        return this.#item(1);
    }
  }

  #item(length: number | undefined): number | undefined {
    this.#lastVaries = false;
    return length;
  }

  #closeGroup(): number | undefined {
    const group = this.#open.pop();
    if (group === undefined) return undefined;
    this.#lastVaries = group.varies;
    if (group.varies) this.#markOpenGroup();
    return 1;
  }

  #quantify(pattern: string, index: number): number | undefined {
    const match = matchAt(QUANTIFIER, pattern, index);
    // A brace that is not a quantifier stands for itself; `(?` opens a kind of group.
    if (match === undefined) return this.#item(1);
    if (pattern[index - 1] === '(') return 1;
    const { most, ways } = repeatsOf(match);
    if (most > 1 && this.#lastVaries) return undefined;
    if (ways > 1) this.#vary(ways);
    this.#lastVaries ||= ways > 1;
    return match[0].length;
  }

  #vary(ways: number): void {
    this.ways *= ways;
    this.#markOpenGroup();
  }

  #markOpenGroup(): void {
    const group = this.#open.at(-1);
    if (group !== undefined) group.varies = true;
  }
}

/** How often a quantifier repeats at most, and how many choices that gives. */
function repeatsOf([whole, min, comma, max]: RegExpExecArray): { most: number; ways: number } {
  if (whole.startsWith('?')) return { most: 1, ways: 2 };
  const least = Number(min ?? 0);
  if (!whole.startsWith('{') || max === '') {
    return { most: MAX_MATCHED_LENGTH, ways: MAX_MATCHED_LENGTH };
  }
  const most = comma === undefined ? least : Number(max);
  return { most, ways: Math.max(1, Math.min(most, MAX_MATCHED_LENGTH) - least + 1) };
}

function matchAt(sticky: RegExp, text: string, index: number): RegExpExecArray | undefined {
  sticky.lastIndex = index;
  return sticky.exec(text) ?? undefined;
}
