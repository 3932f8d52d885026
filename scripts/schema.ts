// Generates the published JSON Schemas and the tables of docs/settings.md from the shapes of the settings. `--write`
// updates the files, `--check` fails if one is stale.

import { settingsFiles } from '../tooling/settings/settings-files.ts';
import { generateFiles } from '../tooling/source/generated-files.ts';

generateFiles({
  files: settingsFiles,
  upToDate: 'the schemas and their page are up to date',
  command: 'npm run schema -- --write',
});
