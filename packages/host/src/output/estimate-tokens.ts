// Estimates the tokens of a text without a tokenizer: tokenizers differ from model to model, and each takes
// megabytes. The estimate is rather too high. English has about 4 characters per token, source code 3, Base64 and
// digits 2; a character of Chinese, Japanese or Korean counts as one and a half tokens, each half of an emoji too, and
// any other character outside ASCII as one.

/** The maximum number of tokens per UTF-16 unit. */
export const MOST_TOKENS_PER_CHARACTER = 1.5;

const LETTERS_IN_A_TOKEN = 5;
/** Longer runs are ids, hashes or Base64. */
const LONGEST_WORD = 16;

/** Stops counting above `most`. */
export function estimateTokens(text: string, most: number = Number.POSITIVE_INFINITY): number {
  let tokens = 0;
  let at = 0;
  while (at < text.length && tokens <= most) {
    const unit = text.charCodeAt(at);
    if (isWordUnit(unit)) {
      const end = endOfWord(text, at);
      tokens += tokensOfWord(text, at, end);
      at = end;
    } else if (unit === SPACE || unit === NEWLINE) {
      const end = endOfRun(text, at, unit);
      // One space belongs to the word after it.
      tokens += unit === SPACE && end - at === 1 ? 0 : Math.ceil((end - at) / 8);
      at = end;
    } else {
      tokens += unit < 0x2e80 ? 1 : MOST_TOKENS_PER_CHARACTER;
      at += 1;
    }
  }
  return Math.ceil(tokens);
}

const SPACE = 0x20;
const NEWLINE = 0x0a;

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isWordUnit(unit: number): boolean {
  return isLetter(unit) || (unit >= 0x30 && unit <= 0x39);
}

function endOfWord(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && isWordUnit(text.charCodeAt(end))) end += 1;
  return end;
}

function endOfRun(text: string, from: number, unit: number): number {
  let end = from + 1;
  while (end < text.length && text.charCodeAt(end) === unit) end += 1;
  return end;
}

function tokensOfWord(text: string, from: number, end: number): number {
  const length = end - from;
  if (length > LONGEST_WORD) return length / 2;
  for (let at = from; at < end; at += 1) {
    if (!isLetter(text.charCodeAt(at))) return Math.ceil(length / 2);
  }
  return Math.ceil(length / LETTERS_IN_A_TOKEN);
}
