// Commands, or words to the model, that a text carries in Base64, in hexadecimal or as numbers of
// characters. A match counts only once it is decoded and is something that would do harm: ids, hashes and
// settings look the same. Pure.

import { injectedIn } from './injected-instructions.ts';

const BASE64 = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
const HEX = /\b(?:0x)?((?:[0-9a-fA-F]{2}){12,})\b/g;
const ESCAPES =
  /%([0-9a-fA-F]{2})|&#(\d{2,6});?|&#x([0-9a-fA-F]{2,5});?|\\u\{?([0-9a-fA-F]{4,5})\}?|\\x([0-9a-fA-F]{2})/g;
/** Of one text. Each is decoded. */
const MOST = 50;
const LONGEST = 20_000;

export interface Encoded {
  readonly index: number;
  readonly decoded: string;
}

export function encodedIn(text: string): Encoded | undefined {
  const runs = [
    ...take(text, HEX).map((match) => ({ match, decoded: fromHex(match[1] ?? '') })),
    ...take(text, BASE64).map((match) => ({ match, decoded: fromBase64(match[0]) })),
  ];
  for (const { match, decoded } of runs) {
    if (decoded !== undefined && isHarmful(decoded)) return { index: match.index, decoded };
  }
  return escapedIn(text);
}

/** The whole text with its escapes read: a word may be written with a single one. */
function escapedIn(text: string): Encoded | undefined {
  const index = text.search(ESCAPES);
  if (index < 0) return undefined;
  const decoded = text.slice(0, LONGEST).replaceAll(ESCAPES, (escape, ...codes: unknown[]) => {
    const decimal = codes[1];
    const digits = codes.slice(0, 5).find((code) => typeof code === 'string') ?? '';
    const code = Number.parseInt(digits, decimal === undefined ? 16 : 10);
    return code >= 0x20 && code <= 0x10_ffff ? String.fromCodePoint(code) : escape;
  });
  const before = dangersIn(text);
  return dangersIn(decoded) > before ? { index, decoded: decoded.slice(index) } : undefined;
}

function dangersIn(text: string): number {
  return injectedIn(text.toLowerCase()).filter(({ severity }) => severity === 'danger').length;
}

function take(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) {
    if (found.push(match) >= MOST) break;
  }
  return found;
}

function isHarmful(decoded: string): boolean {
  return COMMAND.some((pattern) => pattern.test(decoded)) || dangersIn(decoded) > 0;
}

const COMMAND = [
  /\b(?:curl|wget|fetch|iwr|invoke-webrequest)\b.{0,300}(?:\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|-o\s|>\s|\biex\b|&&)/i,
  /\bchmod\s+(?:\+x|[0-7]{3,4})\b/i,
  /\brm\s+-[a-z]*[rf][a-z]*\s/i,
  /\/dev\/(?:tcp|udp)\//i,
  /\b(?:nc|ncat|netcat)\b.{0,60}\s-[a-z]*[ec]\b/i,
  /\b(?:bash|sh|zsh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh|python\d?|perl|ruby|node)\b\s+(?:-[a-z]*[ce]\b|\/c\b|-enc)/i,
  /\b(?:eval|exec|system|spawn|popen|child_process|subprocess|os\.system)\s*\(/i,
  /\b(?:base64\s+(?:-d|--decode)|xxd\s+-r)\b/i,
  /\bmkfifo\b|\bcrontab\b|\bauthorized_keys\b|\b(?:sudo|su)\s+-/i,
  /\b(?:del|format|rd|rmdir)\s+\/[a-z]\b/i,
  /(?:~|\$home)?\/\.(?:ssh|aws|gnupg)\/|\bid_rsa\b|\/etc\/(?:passwd|shadow)/i,
];

function fromBase64(run: string): string | undefined {
  const bytes = Buffer.from(
    run.slice(0, LONGEST),
    run.includes('-') || run.includes('_') ? 'base64url' : 'base64',
  );
  return readable(bytes);
}

function fromHex(run: string): string | undefined {
  return readable(Buffer.from(run.slice(0, LONGEST), 'hex'));
}

/** What is not text in one of its usual encodings is no command either. */
function readable(bytes: Buffer): string | undefined {
  if (bytes.length < 8) return undefined;
  // Every other byte of text in UTF-16, as PowerShell wants it, is zero.
  const isWide = bytes.length % 2 === 0 && bytes[1] === 0 && bytes[3] === 0;
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8');
  return /^[\t\n\r\u0020-\u007E]+$/.test(text) ? text : undefined;
}
