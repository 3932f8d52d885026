// Scans all definitions of one server: each by itself, and for attacks that are spread over several of them.
// Definitions beyond the budget count as a danger. Pure: the clock is a parameter.

import { hasDanger, type ScanFinding } from './finding.ts';
import { type ScanContext, type ScannedDefinition, scanTexts } from './scan-definition.ts';
import { type Part, spreadFinding, spreadOver } from './spread.ts';

export interface ServerScan {
  readonly definitions: readonly ScannedDefinition[];
  /** The context for detecting shadowing. */
  readonly around?: ScanContext;
  readonly budget: ScanBudget;
}

export interface ScanBudget {
  /** The number of characters as JSON. */
  readonly size: number;
  /** The duration in milliseconds, as measured by `now`. */
  readonly time: number;
  readonly now: () => number;
}

/** The findings in each definition, in the same order. */
export function scanServer({
  definitions,
  around,
  budget,
}: ServerScan): readonly (readonly ScanFinding[])[] {
  const until = budget.now() + budget.time;
  let left = budget.size;
  const parts: OwnPart[] = [];
  const findings: ScanFinding[][] = definitions.map((definition, owner) => {
    left -= sizeOf(definition, left);
    if (left < 0) return [...UNREAD.size];
    if (budget.now() > until) return [...UNREAD.time];
    const scan = scanTexts(definition, around);
    // A definition that is kept back by itself cannot take part in a spread attack.
    if (!hasDanger(scan.findings)) {
      parts.push(...scan.parts.map((part) => ({ ...part, owner })));
    }
    return [...scan.findings];
  });
  const owners = new Set(parts.map(({ owner }) => owner));
  if (owners.size < 2 || budget.now() > until) return findings;
  for (const part of spreadOver(parts)) findings[part.owner]?.push(spreadFinding(part));
  return findings;
}

interface OwnPart extends Part {
  readonly owner: number;
}

const UNREAD: Readonly<Record<'size' | 'time', readonly ScanFinding[]>> = {
  size: [{ check: 'unread', severity: 'danger', path: [], excerpt: 'too much in one list' }],
  time: [
    {
      check: 'unread',
      severity: 'danger',
      path: [],
      excerpt: 'looking through this list took too long',
    },
  ],
};

/** The approximate size as JSON. Stops counting above `most`. */
function sizeOf(value: unknown, most: number): number {
  let size = 2;
  if (typeof value === 'string') return size + value.length;
  if (typeof value !== 'object' || value === null) return size + 3;
  for (const [key, item] of Object.entries(value)) {
    size += key.length + 4 + sizeOf(item, most - size);
    if (size > most) return size;
  }
  return size;
}
