// Finds attacks that are spread over several texts: signs that are too weak in each, a sentence that begins in one and
// ends in the next, an encoded text that is split into pieces. Pure.

import { excerptAt } from './excerpt.ts';
import { type FieldPath, hasDanger, type ScanFinding } from './finding.ts';
import { scanReadings } from './scan-text.ts';
import { sumOf, type Weights } from './weigh.ts';

export interface Part {
  readonly path: FieldPath;
  readonly text: string;
  /** The weights of its sentences. */
  readonly weights: readonly Weights[];
  /** Whether an attack could begin here. */
  readonly isBegun: boolean;
}

/** Signs in separate texts must weigh more than signs in one text. */
const ENOUGH_APART = 18;
/** The number of characters that are joined with the text before, or that an encoded piece may have. */
const EDGE = 200;
/** The number of characters at the end of a text in which a sentence may begin. */
const BEGINNING = 100;
/** The number of following texts in which a sentence may continue. */
const NEXT = 3;
const MOST_TRIED = 100;
const MOST_PIECES = 400;

/** The parts that are a danger only together. */
export function spreadOver<P extends Part>(parts: readonly P[]): readonly P[] {
  const signed = parts.filter(({ weights }) => weights.length > 0);
  if (signed.length > 1 && sumOf(signed.flatMap(({ weights }) => weights)) >= ENOUGH_APART) {
    return signed;
  }
  const begun = sentenceOver(parts);
  return begun.length > 0 ? begun : piecesOver(parts);
}

/** Words near the beginning of such a sentence, which has not ended. */
const BEGUN =
  /\b(?:ignor(?:e|ing)|disregard|forget|overrid(?:e|ing)|bypass|reveal|exfiltrate|tell|mention|inform|system prompt|credentials|passwords?|conversation|ssh|env|aws)\b[^.!?]{0,60}$/i;
/** Labels such as `1)`, `part 2:` and `(3/4)`. */
const LABEL =
  /^\s*\(?(?:part|step|piece)?\s*(?:\d+|one|two|three|four)(?:\s*(?:\/|of)\s*\d+)?\)?\s*[:.)-]\s*/i;
const ENDS_WITH_MARK = /[.…-]\s*$/;
const CONTINUATION_MARK = /\s*(?:\.{3}|…|-)?\s*$/;

function sentenceOver<P extends Part>(parts: readonly P[]): readonly P[] {
  let tried = 0;
  for (const [index, part] of parts.entries()) {
    if (!part.isBegun) continue;
    const last = part.text.slice(-BEGINNING);
    const end = ENDS_WITH_MARK.test(last) ? last.replace(CONTINUATION_MARK, '') : last;
    if (!BEGUN.test(end) || (tried += 1) > MOST_TRIED) continue;
    const next = parts.slice(index + 1, index + 1 + NEXT);
    const joined = [end, ...next.map(({ text }) => text.slice(0, EDGE))].map((text) =>
      text.replace(LABEL, '').replace(CONTINUATION_MARK, ''),
    );
    // Uses as few parts as possible.
    for (let count = 1; count <= next.length; count += 1) {
      if (isDanger(joined.slice(0, count + 1).join(' '))) return [part, ...next.slice(0, count)];
    }
  }
  return [];
}

/** The last word of a text, if it looks encoded: it has letters of both cases, or digits. */
function pieceOf(text: string): string | undefined {
  const last = text.slice(text.lastIndexOf(' ', text.length - 2) + 1);
  if (last.length < 6 || last.length > EDGE || !/[A-Z0-9]/.test(last)) return undefined;
  const [piece] = /[A-Za-z0-9+/]{6,}={0,2}$/.exec(last) ?? [];
  return piece !== undefined && /[a-z]/.test(piece) ? piece : undefined;
}

function piecesOver<P extends Part>(parts: readonly P[]): readonly P[] {
  const found: { readonly part: P; readonly piece: string }[] = [];
  for (const part of parts) {
    const piece = pieceOf(part.text);
    if (piece !== undefined && found.push({ part, piece }) >= MOST_PIECES) break;
  }
  if (found.length < 2) return [];
  const joined = found.map(({ piece }) => piece).join('');
  return isDanger(joined) ? found.map(({ part }) => part) : [];
}

function isDanger(text: string): boolean {
  return hasDanger(scanReadings(text, []).findings);
}

export function spreadFinding({ path, text }: Part): ScanFinding {
  const excerpt = excerptAt(`together with others: ${text}`, 0, 120);
  return { check: 'injected-instructions', severity: 'danger', path, excerpt };
}
