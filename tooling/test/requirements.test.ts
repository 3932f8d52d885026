import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  claimsIn,
  describeLedger,
  readRequirements,
  takeStock,
  writeClaims,
} from '../requirements/ledger.ts';
import { repositoryRoot } from '../source/files.ts';
import { runProgram } from './run-program.ts';
import { tempTree } from './temp-tree.ts';

const DOCUMENT = `# Requirements

## AAA · First

| id | promise |
|---|---|
| AAA-01 | One, see BBB-01. |
| AAA-02 | Two. |

## Later

| id | promise |
|---|---|
| BBB-UI | Three. |

<!-- claims:begin -->
| AAA-99 | generated |
<!-- claims:end -->
The end.
`;

describe('readRequirements', () => {
  it('reads ids from tables, with their section, and not from the generated part', () => {
    expect(readRequirements(DOCUMENT)).toEqual([
      { id: 'AAA-01', section: 'AAA · First' },
      { id: 'AAA-02', section: 'AAA · First' },
      { id: 'BBB-UI', section: 'Later' },
    ]);
  });

  it('finds no id twice in the real document', () => {
    const document = readFileSync(join(repositoryRoot, 'docs/requirements.md'), 'utf8');
    const ids = readRequirements(document).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(100);
    expect(ids).toEqual([...new Set(ids)]);
  });
});

describe('takeStock', () => {
  const claims = [
    ...claimsIn('b.test.ts', `verifies('AAA-01'); verifies('AAA-01', 'AAA-07');`),
    ...claimsIn('a.test.ts', `verifies('AAA-01'); verifies(id);`),
  ];
  const ledger = takeStock(readRequirements(DOCUMENT), claims);

  it('counts by section and lists unknown ids separately', () => {
    expect(ledger).toEqual({
      sections: [
        { name: 'AAA · First', claimed: ['AAA-01'], unclaimed: ['AAA-02'] },
        { name: 'Later', claimed: [], unclaimed: ['BBB-UI'] },
      ],
      claims: [{ id: 'AAA-01', files: ['a.test.ts', 'b.test.ts'] }],
      unknown: [
        { id: 'AAA-07', file: 'b.test.ts' },
        { id: undefined, file: 'a.test.ts' },
      ],
    });
  });

  it('is described line by line', () => {
    expect(describeLedger(ledger).split('\n')).toEqual([
      'AAA · First    1 of 2   no test: AAA-02',
      'Later          0 of 1   no test: BBB-UI',
      '1 of 3 requirements are claimed by a test',
      "b.test.ts: verifies('AAA-07') names no requirement",
      'a.test.ts: an id given to verifies() is not a string literal',
    ]);
  });

  it('is written between the markers, leaving the rest unchanged', () => {
    const written = writeClaims(DOCUMENT, ledger);
    expect(written).toBe(
      DOCUMENT.replace(
        '| AAA-99 | generated |\n',
        '\n| id | tests |\n|---|---|\n| AAA-01 | `a.test.ts`<br>`b.test.ts` |\n\n',
      ),
    );
    expect(writeClaims(written, ledger)).toBe(written);
  });

  it('refuses a document without markers', () => {
    expect(() => writeClaims('# Nothing\n', ledger)).toThrow('lacks <!-- claims:begin -->');
  });
});

describe('npm run requirements', () => {
  const tree = (test: string): ReturnType<typeof tempTree> =>
    tempTree({ 'docs/requirements.md': DOCUMENT, 'packages/base/test/a.test.ts': test });
  const run = (root: string, ...flags: string[]): ReturnType<typeof runProgram> =>
    runProgram('scripts/requirements.ts', ['--root', root, ...flags], root);
  const documentIn = (root: string): string =>
    readFileSync(join(root, 'docs/requirements.md'), 'utf8');

  it('prints and writes nothing by default', () => {
    using house = tree(`verifies('AAA-01');`);
    const { code, output } = run(house.root);
    expect({ code, document: documentIn(house.root) }).toEqual({ code: 0, document: DOCUMENT });
    expect(output).toContain('1 of 3 requirements are claimed by a test');
  });

  it('prints the ledger as one JSON document', () => {
    using house = tree(`verifies('AAA-02');`);
    const { code, output } = run(house.root, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      claims: [{ id: 'AAA-02', files: ['packages/base/test/a.test.ts'] }],
    });
  });

  it('fails on a stale document until it is written again', () => {
    using house = tree(`verifies('AAA-01');`);
    const codes = [['--check'], ['--write'], ['--check']].map(
      (flags) => run(house.root, ...flags).code,
    );
    expect(codes).toEqual([1, 0, 0]);
    expect(documentIn(house.root)).toContain('| AAA-01 | `packages/base/test/a.test.ts` |');
  });

  it('fails on an unknown id', () => {
    using house = tree(`verifies('AAA-03');`);
    const { code, output } = run(house.root);
    expect(code).toBe(1);
    expect(output).toContain(
      "packages/base/test/a.test.ts: verifies('AAA-03') names no requirement",
    );
  });
});
