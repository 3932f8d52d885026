// Bundles what tests start as processes so often that loading its modules takes long: the scripted server, started more
// than a thousand times, and the parts of the host that small programs of the tests use.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { contentOf, replaceFiles } from './bundle-files.ts';

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url));
/** As deep as most modules in `dist`, since they find programs by relative paths. */
const PARTS = 'of/host';

await write('testkit', 'cjs', { 'scripted-server': 'scripted-server/main' });
await write('host', 'esm', {
  [`${PARTS}/index`]: 'index',
  [`${PARTS}/configuration`]: 'configuration',
  [`${PARTS}/pins`]: 'pins/index',
});

/** CommonJS loads faster than ES modules, but cannot await while it loads. */
async function write(
  name: string,
  format: 'cjs' | 'esm',
  parts: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = join(PACKAGES, name);
  const input = Object.entries(parts).map(([part, file]) => [
    part,
    join(folder, `dist/${file}.js`),
  ]);
  await using bundle = await rolldown({
    input: Object.fromEntries(input) as Record<string, string>,
    platform: 'node',
    // Files of their own, and code that the compiler refuses when it is bundled.
    external: [/^node:/, '@plugboard/code-mode', '@plugboard/static-model', 'sharp', 'undici'],
    logLevel: 'warn',
  });
  const ending = format === 'cjs' ? 'cjs' : 'mjs';
  const { output } = await bundle.generate({
    format,
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `${PARTS}/[name]-[hash].${ending}`,
  });
  replaceFiles(
    join(folder, 'bundle'),
    new Map(output.map((file) => [file.fileName, contentOf(file)] as const)),
  );
}
