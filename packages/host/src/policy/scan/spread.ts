// Finds what is spread over several texts: signs that are too few in each, a sentence that begins in one and ends in
// the next, an encoded text of which each contains a piece. Pure.

import { excerptAt } from './excerpt.ts';
import type { FieldPath, ScanFinding } from './finding.ts';
import { lookThrough } from './scan-text.ts';
import { sumOf, type Weights } from './weigh.ts';

export interface Part {
  readonly path: FieldPath;
  readonly text: string;
  /** Of its sentences. */
  readonly weights: readonly Weights[];
  /** An attack could begin here. */
  readonly isBegun: boolean;
}

/** Signs that stand apart must weigh more than those that stand together. */
const ENOUGH_APART = 18;
/** Of a text that goes on in others, or that goes on with another. */
const EDGE = 200;
const BEGINNING = 100;
/** In so many of the next ones a sentence goes on. */
const NEXT = 3;
const MOST_TRIED = 100;
const MOST_PIECES = 400;

/** The parts that have a share in something that is a danger only together. */
export function spreadOver<P extends Part>(parts: readonly P[]): readonly P[] {
  const signed = parts.filter(({ weights }) => weights.length > 0);
  if (signed.length > 1 && sumOf(signed.flatMap(({ weights }) => weights)) >= ENOUGH_APART) {
    return signed;
  }
  const begun = sentenceOver(parts);
  return begun.length > 0 ? begun : piecesOver(parts);
}

/** Words that such a sentence has near its beginning, and no end of a sentence after them. */
const BEGUN =
  /\b(?:ignor(?:e|ing)|disregard|forget|overrid(?:e|ing)|bypass|reveal|exfiltrate|tell|mention|inform|system prompt|credentials|passwords?|conversation|ssh|env|aws)\b[^.!?]{0,60}$/i;
/** 1), part 2:, (3/4), and what marks that something follows. */
const LABEL =
  /^\s*\(?(?:part|step|piece)?\s*(?:\d+|one|two|three|four)(?:\s*(?:\/|of)\s*\d+)?\)?\s*[:.)-]\s*/i;
const MARKED = /[.…-]\s*$/;
const GOES_ON = /\s*(?:\.{3}|…|-)?\s*$/;

function sentenceOver<P extends Part>(parts: readonly P[]): readonly P[] {
  let tried = 0;
  for (const [index, part] of parts.entries()) {
    if (!part.isBegun) continue;
    const last = part.text.slice(-BEGINNING);
    const end = MARKED.test(last) ? last.replace(GOES_ON, '') : last;
    if (!BEGUN.test(end) || (tried += 1) > MOST_TRIED) continue;
    const next = parts.slice(index + 1, index + 1 + NEXT);
    const joined = [end, ...next.map(({ text }) => text.slice(0, EDGE))].map((text) =>
      text.replace(LABEL, '').replace(GOES_ON, ''),
    );
    // No more of them than it takes.
    for (let count = 1; count <= next.length; count += 1) {
      if (isDanger(joined.slice(0, count + 1).join(' '))) return [part, ...next.slice(0, count)];
    }
  }
  return [];
}

/** The last word of a text, where it is none: letters of both cases, or digits among them. */
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
  return lookThrough(text, []).findings.some(({ severity }) => severity === 'danger');
}

export function spreadFinding({ path, text }: Part): ScanFinding {
  const excerpt = excerptAt(`together with others: ${text}`, 0, 120);
  return { check: 'injected-instructions', severity: 'danger', path, excerpt };
}
