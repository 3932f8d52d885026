// Writes the figures of bench/figures.json, which is what `npm run -s bench -- all --json` printed, into the
// README's table and docs/figures.md. `--write` brings them up to date, `--check` fails when one is stale.

import type { Report } from '../bench/measure/report.ts';
import { figuresPage, writeFigures } from '../tooling/figures/tables.ts';
import { generateFiles } from '../tooling/source/generated-files.ts';

generateFiles({
  files: (read) => {
    const reports = JSON.parse(read('bench/figures.json')) as readonly Report[];
    return [
      { path: 'README.md', text: writeFigures(read('README.md'), reports) },
      { path: 'docs/figures.md', text: figuresPage(reports) },
    ];
  },
  upToDate: 'the figures are those of bench/figures.json',
  command: 'npm run figures -- --write',
});
