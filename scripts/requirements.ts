// Prints which requirements of docs/requirements.md tests claim. `--json` prints the same as data, `--write` updates
// the generated part of the document, and `--check` fails if that part is stale. A claim of an unknown id fails in
// every mode.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  claimsIn,
  describeLedger,
  readRequirements,
  takeStock,
  writeClaims,
} from '../tooling/requirements/ledger.ts';
import { filesUnder, foldersIn, repositoryRoot } from '../tooling/source/files.ts';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    root: { type: 'string', default: repositoryRoot },
  },
});
const { root } = flags;
const documentPath = join(root, 'docs/requirements.md');

const document = readFileSync(documentPath, 'utf8');
const testFolders = foldersIn('packages', root).map((name) => `packages/${name}/test`);
const claims = [...testFolders, 'tooling/test']
  .flatMap((folder) => filesUnder(folder, '.ts', root))
  .flatMap((file) => claimsIn(file, readFileSync(join(root, file), 'utf8')));
const ledger = takeStock(readRequirements(document), claims);

console.log(flags.json ? JSON.stringify(ledger, undefined, 2) : describeLedger(ledger));
if (ledger.unknown.length > 0) process.exitCode = 1;

const current = writeClaims(document, ledger);
if (flags.write && current !== document) writeFileSync(documentPath, current);
if (flags.check && current !== document) {
  console.error('docs/requirements.md is stale: run `npm run requirements -- --write`');
  process.exitCode = 1;
}
