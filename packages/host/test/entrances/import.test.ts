// The side effects of importing the package, and how much of it a bundler includes. Runs the built package.

import { verifies } from '@plugboard/testkit';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PACKAGE = JSON.parse(readFileSync(at('../../package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly sideEffects: unknown;
};
const entrances = Object.values(PACKAGE.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.default],
);

async function doneOnImport(file: string): Promise<unknown> {
  const child = fork(at('fixtures/import-watched.mjs'), [file], { execArgv: [] });
  const ended = once(child, 'exit');
  const [message] = (await once(child, 'message')) as [unknown];
  child.disconnect();
  await ended;
  return message;
}

/** The size of a program with one import of the package, without dependencies. */
async function bundled(statement: string): Promise<{ readonly code: string }> {
  const bundle = await rolldown({
    input: 'program',
    platform: 'node',
    external: (id) => !/^(program|[./]|@plugboard\/)/.test(id),
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? at('program.js') : null),
        load: (id) => (id === at('program.js') ? statement : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const [{ code }] = output;
  return { code };
}

describe('the package @plugboard/host', () => {
  verifies('API-04');

  it.each(entrances)('does nothing when %s is imported', async (file) => {
    expect(await doneOnImport(at(`../../${file}`))).toEqual({ done: [] });
  });

  it('is tested with a check that detects side effects', async () => {
    expect(await doneOnImport(at('fixtures/busy.mjs'))).toEqual({
      done: ['read PATH', 'setTimeout', 'isBusy', 'Timeout'],
    });
  });

  it('leaves in a bundle only what is used', async () => {
    expect(PACKAGE.sideEffects).toBe(false);
    const nothing = await bundled(`import { createHost } from '@plugboard/host';`);
    expect(
      nothing.code
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('//')),
    ).toEqual(['export {};']);
    const text = await bundled(
      `import { toText } from '@plugboard/host'; globalThis.text = toText([]);`,
    );
    expect(text.code).not.toMatch(/^import /m);
    expect(text.code.length).toBeLessThan(4000);
    const schema = await bundled(
      `import { schemaFor } from '@plugboard/host/adapters'; globalThis.fit = schemaFor;`,
    );
    expect(schema.code).not.toMatch(/^import /m);
  });
});
