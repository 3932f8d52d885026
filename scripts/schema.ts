// Derives from the shapes of our settings the JSON Schemas that the library publishes and the lists of
// docs/settings.md. `--write` brings the files up to date, `--check` fails when one is stale.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generatedFiles } from '../tooling/settings/generated-files.ts';
import { repositoryRoot } from '../tooling/source/files.ts';

const { values: flags } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    root: { type: 'string', default: repositoryRoot },
  },
});

const read = (path: string): string => {
  const file = join(flags.root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const stale = generatedFiles(read).filter(({ path, text }) => read(path) !== text);

for (const { path, text } of stale) {
  if (flags.write) writeFileSync(join(flags.root, path), text);
  console.log(`${path} ${flags.write ? 'is written' : 'is stale'}`);
}
if (stale.length === 0) console.log('the schemas and their page are up to date');
if (flags.check && !flags.write && stale.length > 0) {
  console.error('run `npm run schema -- --write`');
  process.exitCode = 1;
}
