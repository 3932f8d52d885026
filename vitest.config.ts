import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests run against the sources, so a failing line is the line that was written;
// programs that tests start as processes run from `dist`, which `npm test` builds first.
const source = (name: string): string =>
  fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      '@plugboard/base': source('base'),
      '@plugboard/host': source('host'),
      '@plugboard/testkit': source('testkit'),
    },
  },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tooling/test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
    setupFiles: [],
  },
});
