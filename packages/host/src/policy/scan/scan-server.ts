// All definitions of one server, looked at together: each by itself, and what is spread over several of them.
// What there is no budget for is not let through. Pure: the clock is given.

import type { ScanFinding } from './finding.ts';
import { hasDanger, lookAt, type ScannedDefinition, type ScanContext } from './scan-definition.ts';
import { type Part, spreadFinding, spreadOver } from './spread.ts';

export interface ServerScan {
  readonly definitions: readonly ScannedDefinition[];
  /** Of those at these places shadowing is asked. */
  readonly around?: ((index: number) => ScanContext | undefined) | undefined;
  readonly budget: ScanBudget;
}

export interface ScanBudget {
  /** In characters, as JSON. */
  readonly size: number;
  /** In milliseconds, as `now` counts them. */
  readonly time: number;
  readonly now: () => number;
}

/** What is found in each, in the same order. */
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
    const looked = lookAt(definition, around?.(owner));
    // What is kept back by itself hides nothing for others.
    if (!hasDanger(looked.findings)) {
      parts.push(...looked.parts.map((part) => ({ ...part, owner })));
    }
    return [...looked.findings];
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

/** Of JSON, about; it stops counting once that is more than `most`. */
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
