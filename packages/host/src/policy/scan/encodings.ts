// Decodes the encoded parts of a text: Base64, Base32, character codes in any notation, Morse. The caller decides
// whether they are harmful: ids, hashes and settings look the same. Pure.

export interface DecodedText {
  readonly index: number;
  readonly text: string;
}

interface Encoding {
  readonly pattern: RegExp;
  readonly decode: (found: string) => readonly Buffer[];
}

/** The maximum number of parts in one text and encoding. */
const MOST = 50;
const LONGEST = 20_000;

const ENCODINGS: readonly Encoding[] = [
  {
    // Parts may be in quotes, on several lines, or separated by other characters.
    pattern: /[A-Za-z0-9+/_-]{6,}(?:[^A-Za-z0-9/_=.-]{1,6}[A-Za-z0-9+/_-]{6,}){0,400}={0,2}/g,
    decode: fromBase64,
  },
  { pattern: /\b[A-Z2-7]{16,}={0,6}|\b[a-z2-7]{24,}={0,6}/g, decode: fromBase32 },
  {
    pattern:
      /(?:0x|\\x|u\+00)?[0-9a-fA-F]{2}(?:[\s,:;_"'|-]{0,4}(?:0x|\\x|[uU]\+00)?[0-9a-fA-F]{2}){7,4000}/g,
    decode: (found) => [Buffer.from(found.replaceAll(/0x|\\x|[uU]\+00|[^0-9a-fA-F]/g, ''), 'hex')],
  },
  {
    pattern: /\b\d{2,3}(?:[\s,;|-]{1,3}\d{2,3}){7,2000}\b/g,
    decode: (found) => [Buffer.from(found.split(/\D+/).map(Number))],
  },
  {
    pattern: /\b[01]{7,8}(?:[\s,]{0,2}[01]{7,8}){7,1000}\b/g,
    decode: (found) => [
      Buffer.from((found.match(/[01]{8}/g) ?? []).map((bits) => Number.parseInt(bits, 2))),
    ],
  },
  {
    pattern: /(?:\\[0-7]{2,3}){6,2000}/g,
    decode: (found) => [
      Buffer.from((found.match(/[0-7]{2,3}/g) ?? []).map((code) => Number.parseInt(code, 8))),
    ],
  },
  {
    pattern: /(?:[.·-]{1,5}[ /|]{1,3}){8,1000}[.·-]{1,5}/g,
    decode: (found) => [Buffer.from(fromMorse(found))],
  },
];

const ESCAPES =
  /%([0-9a-fA-F]{2})|&#(\d{2,6});?|&#x([0-9a-fA-F]{2,5});?|\\u\{?([0-9a-fA-F]{4,5})\}?|\\x([0-9a-fA-F]{2})/gi;
const NAMED: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&', '&apos;': "'", '&nbsp;': ' ' },
};

export function decodedIn(whole: string): readonly DecodedText[] {
  const text = whole.slice(0, LONGEST * 5);
  const found: DecodedText[] = [];
  for (const { pattern, decode } of ENCODINGS) {
    let count = 0;
    for (const { 0: run, index } of text.matchAll(pattern)) {
      for (const bytes of decode(run.slice(0, LONGEST))) {
        const readable = readableText(bytes);
        if (readable !== undefined) found.push({ index, text: readable });
      }
      if ((count += 1) >= MOST) break;
    }
  }
  return found;
}

/** Decodes the escapes in a text, of which a word may have a single one. */
export function unescaped(text: string): string | undefined {
  const plain = text
    .slice(0, LONGEST)
    .replaceAll(/&(?:lt|gt|quot|amp|apos|nbsp);/g, (name) => NAMED[name] ?? name)
    .replaceAll(ESCAPES, (escape, ...codes: unknown[]) => {
      const decimal = codes[1];
      const digits = codes.slice(0, 5).find((code) => typeof code === 'string') ?? '';
      const code = Number.parseInt(digits, decimal === undefined ? 16 : 10);
      return code >= 0x20 && code <= 0x10_ffff ? String.fromCodePoint(code) : escape;
    });
  return plain === text.slice(0, LONGEST) ? undefined : plain;
}

/** Decodes all parts together, or else each part at every possible beginning of a group of four. */
function fromBase64(found: string): readonly Buffer[] {
  const parts = found
    .split(/[^A-Za-z0-9+/_=-]+/)
    .filter((part) => part.length > 1 && isNoWord(part));
  if (parts.join('').length < 12) return [];
  const decode = (part: string) => Buffer.from(part, /[-_]/.test(part) ? 'base64url' : 'base64');
  const whole = decode(parts.join(''));
  if (readableText(whole) !== undefined) return [whole];
  return parts
    .filter(({ length }) => length >= 16)
    .flatMap((part) => [0, 1, 2, 3].map((skipped) => decode(part.slice(skipped))));
}

/** Words have one case, or begin with a capital. */
function isNoWord(part: string): boolean {
  return part.length >= 40 || !/^[A-Za-z]?[a-z]*$|^[A-Z]*$|^[a-z_/-]*$/.test(part);
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

function fromBase32(found: string): readonly Buffer[] {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of found.toLowerCase()) {
    const digit = BASE32.indexOf(letter);
    if (digit < 0) break;
    value = ((value << 5) | digit) & 0xf_ffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  return [Buffer.from(bytes)];
}

/** The letters of Morse from a to z. */
const MORSE =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..';
const MORSE_LETTERS: ReadonlyMap<string, string> = new Map(
  MORSE.split(' ').map((code, at) => [code, String.fromCodePoint(0x61 + at)]),
);

function fromMorse(found: string): string {
  return found
    .replaceAll('·', '.')
    .split(/ ?[/|] ?| {2,3}/)
    .map((word) =>
      word
        .split(' ')
        .map((code) => MORSE_LETTERS.get(code) ?? '?')
        .join(''),
    )
    .join(' ');
}

/** The share of damaged characters that is accepted, for incomplete groups and omitted letters. */
const DAMAGE = 0.12;

/** The text in bytes, if they are text in any language. */
function readableText(bytes: Buffer): string | undefined {
  if (bytes.length < 6) return undefined;
  // In UTF-16, which PowerShell uses, every other byte is zero.
  const isWide = bytes.length % 2 === 0 && bytes[1] === 0 && bytes[3] === 0;
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8');
  let damaged = 0;
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (
      code === 0xff_fd ||
      code === 0x7f ||
      (code < 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d)
    )
      damaged += 1;
    else if (code === 0x20 || (code | 0x20) >= 0x61 || (code >= 0x2d && code <= 0x3a)) letters += 1;
  }
  if (damaged > text.length * DAMAGE || letters < text.length * 0.6) return undefined;
  return damaged === 0
    ? text
    : text.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFD]/g, '');
}
