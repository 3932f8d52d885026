// The status line: the current activity and a key hint at the left; model, tokens, cost and servers at the right. On a narrow
// screen, the right side drops its least important parts first.

import type { AgentMode } from '@plugboard/agent';
import type { ServerRow } from '../../chat/index.ts';
import { clean, cleanLine } from './clean.ts';
import { costWords, countWords, plural } from './sizes.ts';
import { type Canvas, type Line, lineWidth, span, spread } from './spans.ts';
import type { Style, Symbols } from './theme.ts';

export interface Status {
  /** The mode of modal editing, with the keys of an incomplete command. */
  readonly keys?: string | undefined;
  readonly mode?: AgentMode | undefined;
  /** The number of commands that run in the background. */
  readonly jobs?: number;
  readonly model?: string | undefined;
  readonly tokens?: number | undefined;
  readonly cost?: number | undefined;
  readonly servers: readonly Pick<ServerRow, 'state'>[];
  /** The current activity, such as `thinking · 3 s`. */
  readonly busy?: string | undefined;
  /** A hint about a key. */
  readonly hint?: string | undefined;
}

export function statusWords(status: Status, { width, theme }: Canvas): Line {
  const { dot } = theme.symbols;
  const left: Line = [
    ...(status.busy === undefined ? [] : [span(cleanLine(status.busy), { role: 'accent' })]),
    ...(status.hint === undefined
      ? []
      : [
          span(`${status.busy === undefined ? '' : '  '}${cleanLine(status.hint)}`, {
            role: 'dim',
          }),
        ]),
  ];
  const room = left.length === 0 ? width : width - Math.min(lineWidth(left), width * 0.4) - 2;
  const right = fitting(statusParts(status, theme.symbols), room, dot);
  return left.length === 0 ? right : spread(left, right, { columns: width, theme });
}

const MODES: Readonly<Record<AgentMode, { readonly words: string; readonly style: Style }>> = {
  ask: { words: 'ask', style: { role: 'dim' } },
  'accept-edits': { words: 'accept edits', style: { role: 'warning' } },
  plan: { words: 'plan', style: { role: 'accent' } },
};

/** The most important first. */
function statusParts(
  { keys, mode, jobs = 0, model, tokens = 0, cost, servers }: Status,
  symbols: Symbols,
): readonly Line[] {
  const on = servers.filter(({ state }) => state !== 'disabled');
  const ready = on.filter(({ state }) => state === 'ready').length;
  const isBad = on.some(({ state }) => state === 'failed' || state === 'needs-sign-in');
  return [
    ...(keys === undefined ? [] : [[span(clean(keys))]]),
    ...(mode === undefined ? [] : [[span(MODES[mode].words, MODES[mode].style)]]),
    ...(jobs === 0 ? [] : [[span(plural(jobs, 'job'), { role: 'accent' } as const)]]),
    [
      span(
        model === undefined ? 'no model' : cleanLine(model),
        model === undefined ? { role: 'warning' } : {},
      ),
    ],
    ...(on.length === 0
      ? []
      : [
          [
            span(`${symbols.ready} `, {
              role: isBad ? 'warning' : ready > 0 ? 'good' : 'dim',
            } as const),
            span(`${ready}/${on.length}`),
          ],
        ]),
    ...(tokens > 0
      ? [[span(`context ${countWords(tokens)} tokens`, { role: 'dim' } as const)]]
      : []),
    ...(cost === undefined ? [] : [[span(costWords(cost), { role: 'dim' } as const)]]),
  ];
}

function fitting(parts: readonly Line[], columns: number, dot: string): Line {
  let line: Line = [];
  for (const part of parts) {
    const longer = line.length === 0 ? part : [...line, span(` ${dot} `, { role: 'dim' }), ...part];
    if (lineWidth(longer) > columns) return line;
    line = longer;
  }
  return line;
}
