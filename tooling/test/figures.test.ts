import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../bench/measure/report.ts';
import { CHOSEN } from '../figures/chosen.ts';
import { figuresPage, withReport, writeFigures } from '../figures/tables.ts';
import { repositoryRoot } from '../source/files.ts';

const spread = (median: number): { median: number; p25: number; p75: number } => ({
  median,
  p25: median,
  p75: median,
});

const REPORTS: readonly Report[] = [
  {
    benchmark: 'call',
    machine: { node: 'v20.1.0', cores: 2, cpu: 'a chip' },
    versions: { plugboard: '1.0.0', peer: '7.0.0' },
    skipped: [],
    sections: [
      {
        kind: 'comparison',
        title: 'one call, Node v20',
        unit: 'µs/call',
        rounds: 3,
        rows: [
          {
            subject: 'ours',
            baseline: 'peer@7',
            target: { kind: 'none' },
            subjectSpread: spread(43.21),
            baselineSpread: spread(1234.5),
            ratio: { ...spread(0.034), low: 0, high: 1 },
            verdict: 'no target',
          },
        ],
      },
      {
        kind: 'figures',
        title: 'lost',
        rows: [
          {
            name: 'calls',
            value: 0,
            unit: '',
            target: { kind: 'at-most', value: 2 },
            verdict: 'pass',
            note: '',
          },
        ],
      },
    ],
  },
];

const ONE = { what: 'one call', benchmark: 'call', section: 'one', row: 'ours', against: 'peer' };
const README = 'Before.\n<!-- figures:begin -->\nOLD\n<!-- figures:end -->\nAfter.\n';

describe('the table of figures', () => {
  it('has the chosen rows of the run, each beside its comparison', () => {
    const lost = { what: 'lost', benchmark: 'call', section: 'lost', row: 'calls' };
    expect(writeFigures(README, REPORTS, [ONE, lost])).toBe(`Before.
<!-- figures:begin -->

| | Plugboard | compared with | ratio |
|---|---|---|---|
| one call | 43 µs | peer@7: 1,235 µs | 0.03 |
| lost | 0 | goal: at most 2 |  |

2 cores (a chip), Node 20.1.0; compared with peer 7.0.0.

<!-- figures:end -->
After.
`);
  });

  it('has no rows of a benchmark that was not run', () => {
    const other = { ...ONE, benchmark: 'chat' };
    expect(writeFigures(README, REPORTS, [ONE, other])).toBe(writeFigures(README, REPORTS, [ONE]));
  });

  it.each([{ section: 'two' }, { row: 'theirs' }, { against: 'another' }])(
    'cannot be written when the run has no such row: %o',
    (other) => {
      expect(() => writeFigures(README, REPORTS, [{ ...ONE, ...other }])).toThrow('no run of');
    },
  );

  it('is of the newest report of each benchmark', () => {
    const [first] = REPORTS;
    const newer = { ...first!, versions: {} };
    const other = { ...first!, benchmark: 'start' };
    expect(withReport(REPORTS, newer)).toEqual([newer]);
    expect(withReport(REPORTS, other)).toEqual([first, other]);
  });

  it('matches the stored run, and so does the page with all figures', () => {
    const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
    const kept = JSON.parse(read('bench/figures.json')) as readonly Report[];
    expect(writeFigures(read('README.md'), kept, CHOSEN)).toBe(read('README.md'));
    expect(figuresPage(kept)).toBe(read('docs/figures.md'));
  });
});
