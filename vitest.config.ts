import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_MS, WAIT_MS } from './packages/testkit/src/bounds.ts';

// Tests run against the sources, so a failing line is the line that was written; programs that
// tests start as processes run from `dist` or a bundle, which `npm test` builds first.
const source = (path: string): string =>
  fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

/** Where no run is known yet, the order is that of the sizes, and this small file would be the last one for minutes. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean =>
      moduleId.endsWith('/documents/pages.test.ts');
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^@plugboard\/(base|static-model|code-mode|gateway|host|codebase|agent|testkit)$/,
        replacement: source('$1/src/index.ts'),
      },
      // Of these two, an entrance is the door of a room; of the others, a file.
      { find: /^@plugboard\/(base|agent)\/([a-z-]+)$/, replacement: source('$1/src/$2/index.ts') },
      {
        find: /^@plugboard\/(host|codebase|gateway|testkit)\/([a-z-]+)$/,
        replacement: source('$1/src/$2.ts'),
      },
      // What draws the chat is the built bundle, as in the command: its libraries are much slower as they are installed.
      { find: /^\.\/app\/index\.tsx$/, replacement: source('cli/bundle/tui/app.mjs') },
    ],
  },
  test: {
    server: { deps: { external: [/\/cli\/bundle\//] } },
    include: ['packages/*/test/**/*.test.ts', 'tooling/test/**/*.test.ts'],
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    setupFiles: [
      'packages/testkit/src/own-state-setup.ts',
      'packages/testkit/src/leak-check-setup.ts',
    ],
    // Generous: many tests start real processes, and a machine may have other work for them to wait for.
    testTimeout: TEST_MS,
    // Node reads it when it starts: commands in the process of a test reach what stands for https://example.com.
    env: { NODE_EXTRA_CA_CERTS: source('cli/test/documents/fixtures/tls/ca.pem') },
    hookTimeout: TEST_MS,
    // Otherwise a second.
    expect: { poll: { timeout: WAIT_MS } },
    pool: 'forks',
    // A process of its own for each file would take a third of the time of all tests. It also runs code as long as a
    // long-lived program does, which has found faults that only show once V8 has compiled something.
    isolate: false,
    // Grammars are WebAssembly. To optimise one takes seconds of all processors, and pays only for much more code than
    // tests parse.
    execArgv: ['--liftoff-only'],
    // Many tests wait for processes that they started: a worker keeps not even half a processor busy.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // What has not changed since the last run is not transformed again, which takes half the time of a short run.
    experimental: { fsModuleCache: true },
  },
});
