import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import { type Judge, judgeList, type ListedItem, type Listing } from '../../src/pins/judge-list.ts';
import {
  formatPins,
  nothingPinned,
  parsePins,
  type PinKind,
  withPins,
} from '../../src/pins/pinned-server.ts';

const AT = 1_790_000_000_000;
const QUIET: Judge = { mode: 'tofu', scan: () => [] };

function item(kind: PinKind, name: string, hash: string): ListedItem {
  return { kind, name, hash: hash.padEnd(64, '0'), definition: { name } };
}

function listing(...items: readonly ListedItem[]): Listing {
  return { server: 's', items };
}

const anyItem = fc
  .tuple(
    fc.constantFrom<PinKind>('tool', 'instructions'),
    fc.constantFrom('a', 'b', '__proto__', 'constructor'),
    fc.constantFrom('1', '2'),
  )
  .map(([kind, name, hash]) => item(kind, name, hash));
const anyListing = fc
  .uniqueArray(anyItem, { selector: ({ kind, name }) => `${kind} ${name}` })
  .map((items) => listing(...items));

describe('judging a list', () => {
  verifies('POL-05');

  it('accepts or withholds each item, never both, and an accepted one stays accepted', () => {
    fc.assert(
      fc.property(
        anyListing,
        anyListing,
        fc.constantFrom('tofu', 'strict'),
        (first, then, mode) => {
          const judge: Judge = { ...QUIET, mode };
          const begun = judgeList(first, nothingPinned('s'), judge);
          const pins = withPins(nothingPinned('s'), begun.accepted, { ...begun, at: AT });
          const again = judgeList(first, pins, judge);
          expect(again.accepted).toEqual([]);
          expect(again.quarantined.length).toBe(begun.quarantined.length);
          const judged = judgeList(then, pins, judge);
          for (const { kind, name, hash } of then.items) {
            const isPinned = pins.pins[kind].get(name)?.hash === hash;
            const isAccepted = judged.accepted.some(
              (each) => each.kind === kind && each.name === name,
            );
            const isHeld = judged.quarantined.some(
              (each) => each.kind === kind && each.name === name,
            );
            expect([isPinned, isAccepted, isHeld].filter(Boolean).length).toBe(1);
            // After the baseline nothing is accepted automatically.
            if (isAccepted) expect(pins.baselines.has(kind)).toBe(false);
          }
        },
      ),
    );
  });

  it('accepts nothing if the pins cannot be read', () => {
    const judged = judgeList(listing(item('tool', 'a', '1')), 'unreadable', QUIET);
    expect(judged).toMatchObject({
      quarantined: [{ reason: { kind: 'unreadable-pins' } }],
      accepted: [],
      baselines: [],
    });
  });

  it('scans only what was not accepted', () => {
    const looked: string[] = [];
    const judge: Judge = {
      mode: 'tofu',
      scan: ({ name }) => {
        looked.push(name);
        return [];
      },
    };
    const first = judgeList(listing(item('tool', 'a', '1')), nothingPinned('s'), judge);
    const pins = withPins(nothingPinned('s'), first.accepted, { ...first, at: AT });
    looked.length = 0;
    judgeList(listing(item('tool', 'a', '1'), item('tool', 'b', '1')), pins, judge);
    expect(new Set(looked)).toEqual(new Set(['b']));
  });
});

describe('stored pins', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(anyListing, ({ items }) => {
        const pins = withPins(nothingPinned('s'), items, { baselines: ['tool'], at: AT });
        expect(parsePins(formatPins(pins))).toEqual(pins);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['half', '{ "format": 1, "server": "s", "baseline": ["tool"], "pins": {'],
    ['another form', '{ "format": 2, "server": "s", "baseline": [], "pins": {} }'],
    ['a kind that is missing', '{ "format": 1, "server": "s", "baseline": [], "pins": {} }'],
    [
      'no hash',
      '{"format":1,"server":"s","baseline":[],"pins":{"tool":[["a","1",1]],"instructions":[]}}',
    ],
    [
      'a stranger among the kinds',
      '{"format":1,"server":"s","baseline":["all"],"pins":{"tool":[],"instructions":[]}}',
    ],
  ])('are ignored if they are %s', (_, text) => {
    expect(parsePins(text)).toBeUndefined();
  });
});
