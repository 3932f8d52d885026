// Looks through everything a model reads of one tool for signs that it is meant to be misread. Needs
// nothing but the definition, and for shadowing the tools of other servers. Says what it found and
// where; what follows from it is decided elsewhere. Pure.

import { encodedIn } from './encoded-payload.ts';
import { excerptAt } from './excerpt.ts';
import type { FieldPath } from './field-path.ts';
import type { ScanFinding } from './finding.ts';
import { hiddenIn } from './hidden-characters.ts';
import { injectedIn } from './injected-instructions.ts';
import { plainText } from './plain-text.ts';
import { quickLook } from './quick-look.ts';
import { type Neighbours, shadowedBy } from './shadowing.ts';
import { type FoundText, textsOf } from './texts-of.ts';

/** A tool, a prompt or whatever else has a name; all that it holds is looked at. */
export interface ScannedDefinition {
  readonly name: string;
  readonly description?: string | undefined;
}

export interface Surroundings extends Neighbours {
  readonly server: string;
}

export function scanDefinition(
  definition: ScannedDefinition,
  around?: Surroundings,
): readonly ScanFinding[] {
  const findings = scanTexts(definition);
  if (around === undefined) return findings;
  const shadowing = shadowingOf(definition, around);
  return shadowing === undefined ? findings : [...findings, shadowing];
}

function scanTexts(definition: ScannedDefinition): readonly ScanFinding[] {
  const { texts, stoppedAt } = textsOf(definition);
  const findings = texts.flatMap(scanFoundText);
  return stoppedAt === undefined ? findings : [...findings, unread(stoppedAt)];
}

function shadowingOf(definition: ScannedDefinition, around: Surroundings): ScanFinding | undefined {
  const { name, description = '' } = definition;
  const own = { server: around.server, name, description };
  const shadowed = shadowedBy(own, JSON.stringify(definition), around);
  if (shadowed === undefined) return undefined;
  const { kind, peer } = shadowed;
  const words = kind === 'copy' ? 'a copy of' : 'says what to do with';
  const excerpt = excerptAt(`${words} ${peer.name} of "${peer.server}"`, 0, 120);
  return { check: 'shadowing', severity: 'danger', path: ['description'], excerpt };
}

/** One text from anywhere: a result, the instructions of a server. Of a long one only the beginning. */
export function scanText(text: string): readonly ScanFinding[] {
  return scanPart({ path: [], text: text.slice(0, LONGEST) });
}

/** What is longer is nothing that a model could be expected to read, and takes long to look through. */
const LONGEST = 100_000;

function scanFoundText({ path, text }: FoundText): readonly ScanFinding[] {
  if (text.length <= LONGEST) return scanPart({ path, text });
  return [...scanPart({ path, text: text.slice(0, LONGEST) }), unread(path)];
}

function unread(path: FieldPath): ScanFinding {
  const excerpt = 'too large to be looked through';
  return { check: 'unread', severity: 'danger', path, excerpt };
}

function scanPart({ path, text }: FoundText): readonly ScanFinding[] {
  const { isOdd, sorts, isEncoded } = quickLook(text);
  if (!isOdd && !isEncoded && sorts === 0) return NOTHING;
  const findings: ScanFinding[] = [];
  const hidden = isOdd ? hiddenIn(text) : undefined;
  if (hidden !== undefined) {
    const { index, severity } = hidden;
    findings.push({ check: 'hidden-characters', severity, path, excerpt: excerptAt(text, index) });
  }
  for (const { sentence, severity } of injectedIn(plainText(text), sorts)) {
    const excerpt = excerptAt(sentence, 0, 120);
    findings.push({ check: 'injected-instructions', severity, path, excerpt });
  }
  const encoded = isEncoded ? encodedIn(text) : undefined;
  if (encoded !== undefined) {
    const excerpt = excerptAt(encoded.decoded, 0, 120);
    findings.push({ check: 'encoded-payload', severity: 'danger', path, excerpt });
  }
  return findings;
}

const NOTHING: readonly ScanFinding[] = [];
