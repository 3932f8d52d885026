// Derives from the shapes of our settings the JSON Schemas that the library publishes and the lists of
// docs/settings.md. `--write` brings the files up to date, `--check` fails when one is stale.

import { settingsFiles } from '../tooling/settings/settings-files.ts';
import { generateFiles } from '../tooling/source/generated-files.ts';

generateFiles({
  files: settingsFiles,
  upToDate: 'the schemas and their page are up to date',
  command: 'npm run schema -- --write',
});
