// Describes definitions that are kept back, why, and how they differ from the accepted ones. All text from servers is shown
// with invisible characters written out.

import type { DefinitionChange, Quarantined, ScanFinding } from '@plugboard/host';
import type { Output } from '../terminal.ts';
import type { ShownError } from './error.ts';
import { paint } from './paint.ts';
import { dayOf } from './times.ts';
import { visible } from './visible.ts';

/** `tool "x"`, `its instructions`. */
export function itemWords({ kind, name }: Pick<Quarantined, 'kind' | 'name'>): string {
  return kind === 'instructions' ? 'instructions' : `${kind} "${visible(name)}"`;
}

function reasonWords({ reason }: Pick<Quarantined, 'reason'>): string {
  switch (reason.kind) {
    case 'changed':
      return `has changed since it was accepted on ${dayOf(reason.acceptedAt)}`;
    case 'new':
      return 'is new';
    case 'renamed':
      return `was called "${visible(reason.from)}" when it was accepted`;
    case 'danger':
      return 'looks like an attack';
    case 'unreviewed':
      return 'was not accepted yet';
    case 'unreadable-pins':
      return 'counts as unknown, since what you accepted cannot be read';
    default:
      return reason satisfies never;
  }
}

export function quarantineError(
  quarantined: Quarantined,
  changes: readonly DefinitionChange[],
): ShownError {
  const { server, name } = quarantined;
  const parts = [...new Set(changes.map(({ path: [part = ''] }) => part))].join(', ');
  const isChanged = quarantined.reason.kind === 'changed' && parts !== '';
  return {
    kind: 'quarantined',
    message: `tool "${name}" of server "${server}" is kept back: it ${reasonWords(quarantined)}`,
    details: [...(isChanged ? [`different: ${parts}`] : []), ...findingLines(quarantined)],
    fix: `see what it is now: plugboard pins diff ${server}; to let it in: plugboard pins accept ${server} ${name}`,
  };
}

/** Explains to the user why tools are missing. */
export function noteQuarantined(err: Output, quarantined: readonly Quarantined[]): void {
  for (const server of new Set(quarantined.map((each) => each.server))) {
    const held = quarantined.filter((each) => each.server === server);
    const words = held.map((each) => `${itemWords(each)} ${reasonWords(each)}`);
    err.write(`Kept back of "${server}": ${words.join('; ')}.\n`);
    err.write(`See more: plugboard pins diff ${server}\n`);
  }
}

/** Without the definition itself, which a model must not see yet. */
export function quarantinedForPrograms(quarantined: readonly Quarantined[]): readonly object[] {
  return quarantined.map(({ server, kind, name, reason, findings }) => ({
    server,
    kind,
    name,
    reason,
    findings,
  }));
}

const CHECKS: Readonly<Record<ScanFinding['check'], string>> = {
  'hidden-characters': 'contains invisible characters',
  'injected-instructions': 'gives the model orders',
  'encoded-payload': 'contains something encoded',
  shadowing: 'imitates another tool, or gives instructions about one',
  unread: 'is too long to be scanned',
};

export function checkWords(check: ScanFinding['check']): string {
  return CHECKS[check];
}

function findingLines({ findings }: Pick<Quarantined, 'findings'>): readonly string[] {
  return findings
    .filter(({ severity }) => severity === 'danger')
    .map(
      ({ check, path, excerpt }) =>
        `${path.map((step) => visible(String(step))).join('.')} ${checkWords(check)}: ${visible(excerpt)}`,
    );
}

export interface Difference {
  readonly quarantined: Quarantined;
  readonly changes: readonly DefinitionChange[];
}

/** Line by line, with the accepted text before the new one. */
export function differenceText(out: Output, { quarantined, changes }: Difference): string {
  const { server } = quarantined;
  const title = `${itemWords(quarantined)} of "${server}" ${reasonWords(quarantined)}`;
  return [
    paint(out, 'bold', title),
    ...findingLines(quarantined).map((line) => paint(out, 'red', `! ${line}`)),
    ...changes.flatMap((change) => [
      `  ${change.path.map(visible).join('.')}`,
      ...changedLines(change).map(({ sign, text }) =>
        paint(out, sign === '-' ? 'red' : 'bold', `  ${sign} ${visible(text)}`),
      ),
    ]),
    '',
  ].join('\n');
}

interface Line {
  readonly sign: '-' | '+';
  readonly text: string;
}

/** The lines that differ, without the common lines at both ends. */
function changedLines({ before, after }: DefinitionChange): readonly Line[] {
  const old = before === undefined ? [] : before.split('\n');
  const now = after === undefined ? [] : after.split('\n');
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end += 1;
  }
  const lines = (all: readonly string[], sign: Line['sign']): readonly Line[] =>
    all.slice(start, all.length - end).map((text) => ({ sign, text }));
  return [...lines(old, '-'), ...lines(now, '+')];
}
