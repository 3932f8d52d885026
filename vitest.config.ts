import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests run against the sources, so a failing line is the line that was written; programs that
// tests start as processes run from `dist`, which `npm test` builds first.
const source = (path: string): string =>
  fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      '@plugboard/base/platform': source('base/src/platform/index.ts'),
      '@plugboard/base': source('base/src/index.ts'),
      // Before the door it would otherwise be taken for a path behind.
      '@plugboard/host/adapters': source('host/src/adapters.ts'),
      '@plugboard/host/processes': source('host/src/processes.ts'),
      '@plugboard/host/shared-servers': source('host/src/shared-servers.ts'),
      '@plugboard/host/recorded': source('host/src/recorded.ts'),
      '@plugboard/host/connector-lists': source('host/src/connector-lists.ts'),
      '@plugboard/host/known-tools': source('host/src/known-tools.ts'),
      '@plugboard/host/configuration': source('host/src/configuration.ts'),
      '@plugboard/host': source('host/src/index.ts'),
      '@plugboard/codebase/command': source('codebase/src/command.ts'),
      '@plugboard/codebase': source('codebase/src/index.ts'),
      '@plugboard/agent/workspace': source('agent/src/workspace/index.ts'),
      '@plugboard/agent': source('agent/src/index.ts'),
      '@plugboard/testkit': source('testkit/src/index.ts'),
    },
  },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tooling/test/**/*.test.ts'],
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    setupFiles: ['packages/testkit/src/leak-check-setup.ts'],
    // Generous: many tests start real processes, and a machine may have other work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // A process of its own for each file would take a third of the time of all tests. It also runs code as long as a
    // long-lived program does, which has found faults that only show once V8 has compiled something.
    isolate: false,
    // Left to itself, half of a small machine would stand idle.
    maxWorkers: '100%',
  },
});
