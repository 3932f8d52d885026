// Bundles the command and its dependencies into a few files under packages/cli/bundle. Loading hundreds of small
// modules took most of the start of the command; see docs/decisions. Only the command is bundled; the library is
// published as compiled.

import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import { contentOf, licencesOf, replaceFiles } from './bundle-files.ts';

const CLI = fileURLToPath(new URL('../packages/cli', import.meta.url));
const BUNDLE = join(CLI, 'bundle');
/** A separate program that hosts start. */
const BROKER = join(CLI, '../host/dist/protocol/shared/broker-main.js');
/** How many of the parts loaded on demand have to share a module. With fewer, `list` would load unneeded code. */
const SHARED_BY = 38;

/** The screen of the chat: a separate bundle, since its libraries are ES modules with top-level await. */
const DRAWING = join(CLI, 'dist/tui/app/index.js');
const DRAWING_MARK = 'plugboard:drawing';
/** The file through which the bundle imports modules outside. */
const IMPORTER = 'importer.cjs';
/** Which chunks a gateway loads as soon as it runs; see packages/cli/src/commands/preload-chunks.ts. */
const GATEWAY_PARTS = 'gateway-parts.cjs';
const SERVE = join(CLI, 'dist/commands/serve.js');
const STRING_WIDTH = /[\\/]string-width[\\/]index\.js$/;
const INK_OUTPUT = /[\\/]ink[\\/]build[\\/]output\.js$/;
/** How many lines are cached: those of a few screens. */
const MOST_LINES = 2000;

await using bundle = await rolldown({
  input: { main: join(CLI, 'dist/main.js'), broker: BROKER },
  platform: 'node',
  resolve: { mainFields: ['module', 'main'] },
  // The command does not change images. The codebase has its own files for threads, grammars and weights.
  external: [
    /^node:/,
    'sharp',
    '@plugboard/static-model',
    '@plugboard/code-mode',
    /^@plugboard\/codebase(?:\/|$)/,
  ],
  logLevel: 'warn',
  plugins: [
    {
      name: 'drawing-apart',
      resolveId(source, importer) {
        if (importer === undefined || resolve(dirname(importer), source) !== DRAWING) return null;
        return { id: DRAWING_MARK, external: true };
      },
    },
    {
      // Code loaded with a compile cache cannot import; a separate file can.
      name: 'imports-apart',
      renderChunk(code, { fileName }) {
        const importer = `${posix.relative(posix.dirname(fileName), '.') || '.'}/${IMPORTER}`;
        return withImporter(code, importer).replaceAll(DRAWING_MARK, './tui/app.mjs');
      },
    },
  ],
});
const { output } = await bundle.generate({
  // CommonJS, since the ES module loader costs more time than the code itself.
  format: 'cjs',
  minify: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  // Modules of nearly all commands are one file, since opening a file takes longer than compiling a few
  // lines.
  codeSplitting: { groups: [{ name: 'shared', minShareCount: SHARED_BY }] },
});
await using starting = await rolldown({
  input: { start: join(CLI, 'dist/start.js') },
  platform: 'node',
  external: [/^node:/],
});
const started = await starting.generate({
  format: 'cjs',
  minify: true,
  entryFileNames: '[name].cjs',
});
await using drawing = await rolldown({
  input: { app: DRAWING },
  platform: 'node',
  external: [/^node:/, 'react-devtools-core'],
  // Development builds would look for tools that are not installed.
  transform: {
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  },
  logLevel: 'warn',
  plugins: [
    {
      // Otherwise the library would draw nothing if the environment names a CI.
      name: 'never-in-ci',
      resolveId: (source) => (source === 'is-in-ci' ? '\0is-in-ci' : null),
      load: (id) => (id === '\0is-in-ci' ? 'export default false;' : null),
    },
    {
      // The library would measure and parse every line again for every frame, although most lines are unchanged.
      name: 'lines-are-kept',
      transform: (code, id) =>
        STRING_WIDTH.test(id)
          ? withWidthsKept(code)
          : INK_OUTPUT.test(id)
            ? withLinesKept(code)
            : null,
    },
  ],
});
const drawn = await drawing.generate({
  format: 'esm',
  minify: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunks/[name]-[hash].mjs',
});
replaceFiles(
  BUNDLE,
  new Map([
    ...[...started.output, ...output].map((file) => [file.fileName, contentOf(file)] as const),
    [IMPORTER, 'module.exports = (name) => import(name);\n'],
    [GATEWAY_PARTS, `module.exports = ${JSON.stringify(partsOf(SERVE))};\n`],
    ...drawn.output.map((file) => [posix.join('tui', file.fileName), contentOf(file)] as const),
    ['THIRD-PARTY-LICENSES.txt', licencesOf([...output, ...drawn.output])],
  ]),
);

/** Replaces calls of `import`, but not methods of that name. */
function withImporter(code: string, importer: string): string {
  const places: number[] = [];
  new Visitor({ ImportExpression: ({ start }) => places.push(start) }).visit(
    parseSync('chunk.js', code).program,
  );
  return places
    .toSorted((a, b) => b - a)
    .reduce(
      (text, at) =>
        `${text.slice(0, at)}require(${JSON.stringify(importer)})${text.slice(at + 'import'.length)}`,
      code,
    );
}

/** The names of all chunks that this module loads, at once or on demand, without the entry of the command. */
function partsOf(module: string): readonly string[] {
  const chunks = output.flatMap((file) => (file.type === 'chunk' && !file.isEntry ? [file] : []));
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId === module);
  if (first === undefined) throw new Error(`there is no chunk of its own for ${module}`);
  const parts = new Set([first]);
  for (const { imports, dynamicImports } of parts) {
    const loaded = new Set([...imports, ...dynamicImports]);
    for (const chunk of chunks) if (loaded.has(chunk.fileName)) parts.add(chunk);
  }
  return [...parts].map(({ fileName }) => posix.basename(fileName));
}

function withWidthsKept(code: string): string {
  const own = changed(code, 'export default function stringWidth(', 'function measuredWidth(');
  return `${own}
const kept = new Map();
export default function stringWidth(text, options) {
  if (options !== undefined) return measuredWidth(text, options);
  let width = kept.get(text);
  if (width !== undefined) return width;
  width = measuredWidth(text);
  if (kept.size >= ${MOST_LINES}) kept.clear();
  kept.set(text, width);
  return width;
}`;
}

/** Shares one cache between all frames. Its entries never change. */
function withLinesKept(code: string): string {
  const own = changed(code, 'caches = new OutputCaches();', 'caches = keptCaches();');
  return `${own}
let kept = new OutputCaches();
function keptCaches() {
  const isFull = [kept.styledChars, kept.widths].some(({ size }) => size >= ${MOST_LINES});
  if (isFull) kept = new OutputCaches();
  return kept;
}`;
}

function changed(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`a library looks otherwise than it did: no "${from}"`);
  return code.replace(from, to);
}
