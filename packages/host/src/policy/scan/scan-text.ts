// Scans one text in all readings: as it is, without disguises, and with encoded parts decoded. Pure.

import { decodedIn, unescaped } from './encodings.ts';
import { undisguised } from './disguises.ts';
import { excerptAt } from './excerpt.ts';
import { type FieldPath, hasDanger, type ScanFinding } from './finding.ts';
import { hiddenIn } from './hidden-characters.ts';
import { plainText } from './plain-text.ts';
import { type Disguises, isAnyDisguise, quickLook } from './quick-look.ts';
import {
  couldBegin,
  DANGER,
  injectedAmong,
  sentencesFrom,
  sumOf,
  type WeighedSentence,
  weighSentences,
} from './weigh.ts';

export interface ReadingsScan {
  readonly findings: readonly ScanFinding[];
  /** The sentences with signs, whether or not they are enough for a finding. */
  readonly weighed: readonly WeighedSentence[];
  /** Whether an attack could begin here and continue in another text. */
  readonly isBegun: boolean;
}

const NOTHING: ReadingsScan = { findings: [], weighed: [], isBegun: false };

export function scanReadings(text: string, path: FieldPath): ReadingsScan {
  const { isOdd, disguises, isEncoded } = quickLook(text);
  const isDisguised = isAnyDisguise(disguises);
  const plain = plainText(text);
  const weighed = weighSentences(plain);
  const isBegun = couldBegin();
  if (!isOdd && !isDisguised && !isEncoded && weighed.length === 0) {
    return isBegun ? { ...NOTHING, isBegun } : NOTHING;
  }
  const findings: ScanFinding[] = [];
  const hidden = isOdd ? hiddenIn(text) : undefined;
  if (hidden !== undefined) {
    const { index, severity } = hidden;
    findings.push({ check: 'hidden-characters', severity, path, excerpt: excerptAt(text, index) });
  }
  for (const { sentence, severity } of injectedAmong(weighed)) {
    const excerpt = excerptAt(sentence, 0, 120);
    findings.push({ check: 'injected-instructions', severity, path, excerpt });
  }
  if (hasDanger(findings)) return { findings, weighed, isBegun };
  const disguised = isDisguised ? disguisedIn(plain, weighed, disguises) : undefined;
  if (disguised !== undefined) {
    const excerpt = excerptAt(disguised, 0, 120);
    findings.push({ check: 'injected-instructions', severity: 'danger', path, excerpt });
  }
  const encoded = isEncoded ? encodedIn(text, { left: MOST_DECODED }) : undefined;
  if (encoded !== undefined) {
    const excerpt = excerptAt(encoded, 0, 120);
    findings.push({ check: 'encoded-payload', severity: 'danger', path, excerpt });
  }
  return { findings, weighed, isBegun };
}

/** Lower than `DANGER`, since a disguise is a sign by itself. */
const ENOUGH = 7;
const MOST_DECODED = 200_000;
const DEEPEST = 4;

function disguisedIn(
  plain: string,
  weighed: readonly WeighedSentence[],
  disguises: Disguises,
): string | undefined {
  const before = heaviest(weighed).sum;
  for (const reading of undisguised(plain, disguises)) {
    const { sum, sentence } = heaviest(weighSentences(reading));
    if (sum >= DANGER && sum > before) return sentence;
  }
  return undefined;
}

interface HeaviestSentence {
  readonly sum: number;
  readonly sentence: string;
}

function heaviest(weighed: readonly WeighedSentence[]): HeaviestSentence {
  let most: HeaviestSentence = { sum: 0, sentence: '' };
  for (const [index, { text }] of weighed.entries()) {
    const sum = sumOf(sentencesFrom(weighed, index).map(({ weights }) => weights));
    if (sum > most.sum) most = { sum, sentence: text };
  }
  return most;
}

interface Budget {
  left: number;
}

/** The decoded text of an encoded part, if it is harmful. */
function encodedIn(text: string, budget: Budget, depth = 0): string | undefined {
  for (const decoded of decodedIn(text)) {
    budget.left -= decoded.text.length;
    if (budget.left < 0) return undefined;
    const harmful = harmfulIn(decoded.text, budget, depth);
    if (harmful !== undefined) return harmful;
  }
  const plain = unescaped(text);
  if (plain === undefined) return undefined;
  const before = heaviest(weighSentences(plainText(text))).sum;
  const after = heaviest(weighSentences(plainText(plain)));
  if (after.sum >= ENOUGH && after.sum > before) return after.sentence;
  return depth < DEEPEST ? encodedIn(plain, budget, depth + 1) : undefined;
}

function harmfulIn(decoded: string, budget: Budget, depth: number): string | undefined {
  if (COMMAND.some((pattern) => pattern.test(decoded))) return decoded;
  const plain = plainText(decoded);
  const weighed = weighSentences(plain);
  if (heaviest(weighed).sum >= ENOUGH) return decoded;
  const disguised = disguisedIn(plain, weighed, quickLook(plain).disguises);
  if (disguised !== undefined) return disguised;
  return depth < DEEPEST ? encodedIn(decoded, budget, depth + 1) : undefined;
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
