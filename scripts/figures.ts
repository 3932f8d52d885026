// Writes the figures of bench/figures.json, the output of `npm run -s bench -- all --json`, into the README's table and
// docs/figures.md. `--write` updates them, `--check` fails if one is stale. `--take FILE` first puts the report of one
// benchmark, the output of `npm run -s bench -- NAME --json`, into bench/figures.json.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../bench/measure/report.ts';
import { figuresPage, withReport, writeFigures } from '../tooling/figures/tables.ts';
import { repositoryRoot } from '../tooling/source/files.ts';
import { generateFiles } from '../tooling/source/generated-files.ts';

const KEPT = 'bench/figures.json';

const takes = process.argv.indexOf('--take');
const [, taken] = takes === -1 ? [] : process.argv.splice(takes, 2);
if (taken !== undefined) take(taken);

generateFiles({
  files: (read) => {
    const reports = JSON.parse(read(KEPT)) as readonly Report[];
    return [
      { path: 'README.md', text: writeFigures(read('README.md'), reports) },
      { path: 'docs/figures.md', text: figuresPage(reports) },
    ];
  },
  upToDate: `the figures are those of ${KEPT}`,
  command: 'npm run figures -- --write',
});

function take(file: string): void {
  const at = join(repositoryRoot, KEPT);
  const kept = JSON.parse(readFileSync(at, 'utf8')) as readonly Report[];
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  writeFileSync(at, `${JSON.stringify(withReport(kept, report), null, 2)}\n`);
}
