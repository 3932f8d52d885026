// Bundles the scripted server into one file: tests start it more than a thousand times, and loading its modules took as
// long as all that it does.

import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { contentOf, replaceFiles } from './bundle-files.ts';

const TESTKIT = fileURLToPath(new URL('../packages/testkit', import.meta.url));

await using bundle = await rolldown({
  input: { 'scripted-server': `${TESTKIT}/dist/scripted-server/main.js` },
  platform: 'node',
  logLevel: 'warn',
});
// CommonJS, since the ES module loader takes longer.
const { output } = await bundle.generate({ format: 'cjs', entryFileNames: '[name].cjs' });
replaceFiles(
  `${TESTKIT}/bundle`,
  new Map(output.map((file) => [file.fileName, contentOf(file)] as const)),
);
