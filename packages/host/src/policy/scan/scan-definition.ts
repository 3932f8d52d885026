// Scans everything that a model reads of one tool for signs that it is meant to mislead. Needs only the definition and,
// to detect shadowing, the tools of other servers. Reports findings with their places; the caller decides what follows.
// Pure.

import { excerptAt } from './excerpt.ts';
import { type FieldPath, hasDanger, type ScanFinding } from './finding.ts';
import { scanReadings } from './scan-text.ts';
import { type Neighbours, shadowedBy } from './shadowing.ts';
import { type Part, spreadFinding, spreadOver } from './spread.ts';
import { collectTexts } from './collect-texts.ts';

/** A tool, a prompt or anything else with a name. All of its members are scanned. */
export interface ScannedDefinition {
  readonly name: string;
  readonly description?: string | undefined;
}

export interface ScanContext extends Neighbours {
  readonly server: string;
}

export function scanDefinition(
  definition: ScannedDefinition,
  around?: ScanContext,
): readonly ScanFinding[] {
  const { findings, parts } = scanTexts(definition, around);
  return hasDanger(findings) ? findings : [...findings, ...spreadOver(parts).map(spreadFinding)];
}

export interface TextScan {
  readonly findings: readonly ScanFinding[];
  /** The texts in their order, with the signs in each. */
  readonly parts: readonly Part[];
}

export function scanTexts(definition: ScannedDefinition, around?: ScanContext): TextScan {
  const { texts, stoppedAt } = collectTexts(definition);
  const findings: ScanFinding[] = [];
  const parts: Part[] = [];
  for (const { path, text } of texts) {
    const { findings: found, weighed, isBegun } = scanReadings(text.slice(0, MAX_TEXT), path);
    findings.push(...found);
    parts.push({ path, text, weights: weighed.map(({ weights }) => weights), isBegun });
    if (text.length > MAX_TEXT) findings.push(unread(path));
  }
  if (stoppedAt !== undefined) findings.push(unread(stoppedAt));
  const shadowing = around === undefined ? undefined : shadowingOf(definition, around);
  return { findings: shadowing === undefined ? findings : [...findings, shadowing], parts };
}

function shadowingOf(definition: ScannedDefinition, around: ScanContext): ScanFinding | undefined {
  const { name, description = '' } = definition;
  const own = { server: around.server, name, description };
  const shadowed = shadowedBy(own, JSON.stringify(definition), around);
  if (shadowed === undefined) return undefined;
  const { kind, peer } = shadowed;
  const words = kind === 'copy' ? 'a copy of' : 'says what to do with';
  const excerpt = excerptAt(`${words} ${peer.name} of "${peer.server}"`, 0, 120);
  return { check: 'shadowing', severity: 'danger', path: ['description'], excerpt };
}

/** Scans any text, such as a result or a server's instructions. Of a long text only the beginning. */
export function scanText(text: string): readonly ScanFinding[] {
  return scanReadings(text.slice(0, MAX_TEXT), []).findings;
}

/** The maximum length of a scanned text: longer texts are not meant to be read, and would take long. */
const MAX_TEXT = 100_000;

function unread(path: FieldPath): ScanFinding {
  const excerpt = 'too large to be looked through';
  return { check: 'unread', severity: 'danger', path, excerpt };
}
