// Computes which sequences of three characters a text must contain to match a pattern. Pure, and sound rather than precise:
// if the syntax is not understood for certain, any text may match.

export type Need =
  | { readonly kind: 'any' }
  | { readonly kind: 'gram'; readonly gram: string }
  | { readonly kind: 'all'; readonly of: readonly Need[] }
  | { readonly kind: 'either'; readonly of: readonly Need[] };

const ANY: Need = { kind: 'any' };
const GRAM = 3;

/** Case is folded, as in the index. */
export function requiredTrigrams(pattern: string, syntax: 'literal' | 'regex'): Need {
  if (syntax === 'literal') return needOfLiteral(pattern);
  try {
    return needOf(new PatternReader(pattern).read());
  } catch (thrown) {
    if (thrown instanceof NotUnderstood) return ANY;
    throw thrown;
  }
}

/** What a part of a pattern matches: one exact text, or any text with the required trigrams. */
type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'other'; readonly need: Need };

const EMPTY: Part = { kind: 'literal', text: '' };
const OTHER: Part = { kind: 'other', need: ANY };

class NotUnderstood extends Error {}

function needOf(part: Part): Need {
  return part.kind === 'literal' ? needOfLiteral(part.text) : part.need;
}

function needOfLiteral(text: string): Need {
  const grams = new Set<string>();
  // Other letters may have more than two cases, or a length that depends on case, so they separate runs.
  for (const run of text.toLowerCase().split(/[^\x20-\x7e\t]+/)) {
    for (let at = 0; at + GRAM <= run.length; at += 1) grams.add(run.slice(at, at + GRAM));
  }
  return all([...grams].map((gram) => ({ kind: 'gram', gram })));
}

function all(needs: readonly Need[]): Need {
  const of = needs.filter(({ kind }) => kind !== 'any');
  return of.length === 0 ? ANY : { kind: 'all', of };
}

function either(needs: readonly Need[]): Need {
  return needs.some(({ kind }) => kind === 'any') ? ANY : { kind: 'either', of: needs };
}

const DEEPEST = 50;
const MOST_REPEATED = 16;

/** Reads the syntax of ripgrep's default engine: https://docs.rs/regex/latest/regex/#syntax. */
class PatternReader {
  readonly #chars: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#chars = Array.from(pattern);
  }

  read(): Part {
    const part = this.#alternation();
    if (this.#at < this.#chars.length) throw new NotUnderstood();
    return part;
  }

  #alternation(): Part {
    const branches = [this.#sequence()];
    while (this.#skip('|')) branches.push(this.#sequence());
    const [only] = branches;
    if (branches.length === 1 && only !== undefined) return only;
    return { kind: 'other', need: either(branches.map(needOf)) };
  }

  #sequence(): Part {
    const needs: Need[] = [];
    let run = '';
    let isLiteral = true;
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')';) {
      const part = this.#repeated(this.#atom());
      if (part.kind === 'literal') run += part.text;
      else {
        isLiteral = false;
        needs.push(needOfLiteral(run), part.need);
        run = '';
      }
      next = this.#peek();
    }
    if (isLiteral) return { kind: 'literal', text: run };
    return { kind: 'other', need: all([...needs, needOfLiteral(run)]) };
  }

  #repeated(atom: Part): Part {
    let part = atom;
    for (let times = this.#repetition(); times !== undefined; times = this.#repetition()) {
      part = repeat(part, times);
    }
    return part;
  }

  #repetition(): { readonly least: number; readonly most: number } | undefined {
    const sign = this.#peek();
    const times = sign === '{' ? this.#counted() : SIGNS[sign ?? ''];
    if (times === undefined) return undefined;
    if (sign !== '{') this.#at += 1;
    // A lazy repetition matches the same texts.
    this.#skip('?');
    return times;
  }

  #counted(): { readonly least: number; readonly most: number } {
    const end = this.#chars.indexOf('}', this.#at);
    const text = this.#chars.slice(this.#at, end + 1).join('');
    const found = /^\{\s*(\d*)\s*(,?)\s*(\d*)\s*\}$/.exec(text);
    if (end === -1 || found === null) throw new NotUnderstood();
    this.#at = end + 1;
    const least = Number(found[1]);
    const most = found[2] === '' ? least : found[3] === '' ? Infinity : Number(found[3]);
    return { least, most };
  }

  #atom(): Part {
    const char = this.#next();
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case '.':
        return OTHER;
      case '^':
      case '$':
        return EMPTY;
      case '*':
      case '+':
      case '?':
      case '{':
        throw new NotUnderstood();
      default:
        return { kind: 'literal', text: char };
    }
  }

  #group(): Part {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new NotUnderstood();
    if (this.#skip('?') && this.#isOnlyFlags()) {
      this.#depth -= 1;
      return EMPTY;
    }
    const part = this.#alternation();
    if (!this.#skip(')')) throw new NotUnderstood();
    this.#depth -= 1;
    return part;
  }

  /** Reads what follows `(?`, up to the content of the group. Returns true for flags without content. */
  #isOnlyFlags(): boolean {
    const rest = this.#chars.slice(this.#at, this.#at + 100).join('');
    const found = /^(?:P?<[A-Za-z_][A-Za-z0-9_.[\]]*>|[imsUuR-]*[:)])/.exec(rest);
    if (found === null) throw new NotUnderstood();
    this.#at += found[0].length;
    return found[0].endsWith(')');
  }

  #class(): Part {
    const start = this.#at;
    if (this.#skip('^')) this.#skip(']');
    else this.#skip(']');
    for (let char = this.#next(); char !== ']'; char = this.#next()) {
      if (char === '\\') this.#next();
      // Nested classes and set operations are not understood.
      if (char === '[') throw new NotUnderstood();
    }
    const content = this.#chars.slice(start, this.#at - 1).join('');
    const isOneLetter =
      /^[A-Za-z]{1,2}$/.test(content) && new Set(content.toLowerCase()).size === 1;
    const isOne = isOneLetter || /^[.*+?(){}|$/ _=<>,;:'"!#%@]$/.test(content);
    return isOne ? { kind: 'literal', text: content.slice(0, 1) } : OTHER;
  }

  #escape(): Part {
    const char = this.#next();
    if (/[dDsSwW]/.test(char)) return OTHER;
    if (char === 'b' || char === 'B') return this.#boundary();
    if (/[Az<>]/.test(char)) return EMPTY;
    if (/[afnrtv]/.test(char)) return OTHER;
    if (char === 'p' || char === 'P') {
      if (this.#next() === '{') this.#skipPast('}');
      return OTHER;
    }
    if (char === 'x' || char === 'u' || char === 'U') {
      if (this.#skip('{')) this.#skipPast('}');
      else for (let count = { x: 2, u: 4, U: 8 }[char]; count > 0; count -= 1) this.#next();
      return OTHER;
    }
    if (/[^A-Za-z0-9]/.test(char)) return { kind: 'literal', text: char };
    throw new NotUnderstood();
  }

  /** `\b{start}` and similar escapes are boundaries too; `\b{2}` is a repetition. */
  #boundary(): Part {
    if (this.#peek() === '{' && /[a-z]/.test(this.#chars[this.#at + 1] ?? '')) this.#skipPast('}');
    return EMPTY;
  }

  #skipPast(end: string): void {
    while (this.#next() !== end);
  }

  #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #next(): string {
    const char = this.#chars[this.#at];
    if (char === undefined) throw new NotUnderstood();
    this.#at += 1;
    return char;
  }

  #skip(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at += 1;
    return true;
  }
}

const SIGNS: Readonly<Record<string, { readonly least: number; readonly most: number }>> = {
  '*': { least: 0, most: Infinity },
  '+': { least: 1, most: Infinity },
  '?': { least: 0, most: 1 },
};

function repeat(part: Part, times: { readonly least: number; readonly most: number }): Part {
  if (times.least === 0) return OTHER;
  const isCounted = times.least === times.most && times.least <= MOST_REPEATED;
  if (part.kind === 'literal' && isCounted) {
    return { kind: 'literal', text: part.text.repeat(times.least) };
  }
  return { kind: 'other', need: needOf(part) };
}
