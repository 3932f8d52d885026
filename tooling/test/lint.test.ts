// The rules inside the real linter, with the repository's own configuration and rooms.json.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../source/files.ts';
import { runProgram } from './run-program.ts';
import { tempTree } from './temp-tree.ts';

const ROOMS = readFileSync(join(repositoryRoot, 'rooms.json'), 'utf8');

interface Finding {
  readonly code: string;
  readonly message: string;
}

function lint(path: string, source: string): { code: number | null; findings: Finding[] } {
  using tree = tempTree({ 'rooms.json': ROOMS, [path]: source });
  const config = join(repositoryRoot, '.oxlintrc.json');
  const run = runProgram('node_modules/oxlint/bin/oxlint', ['-c', config, '-f', 'json'], tree.root);
  const { diagnostics } = JSON.parse(run.output) as { diagnostics: Finding[] };
  return {
    code: run.code,
    findings: diagnostics.map(({ code, message }) => ({ code, message })),
  };
}

describe('rooms/imports', () => {
  it.each([
    ['a static import', `import { load } from '../protocol/index.ts';\n\nexport const a = load;\n`],
    ['a type import', `import type { A } from '../protocol/index.ts';\n\nexport type B = A;\n`],
    ['a re-export', `export { load } from '../protocol/index.ts';\n`],
    ['a re-export of everything', `export * from '../protocol/index.ts';\n`],
    ['a dynamic import', `export const load = () => import('../protocol/index.ts');\n`],
    ['an import in a type', `export type A = import('../protocol/index.ts').A;\n`],
  ])('fails on %s against the arrows', (_, source) => {
    const { code, findings } = lint('packages/host/src/config/bad.ts', source);
    expect(code).toBe(1);
    expect(findings.filter((finding) => finding.code === 'rooms(imports)')).toEqual([
      {
        code: 'rooms(imports)',
        message: "room 'config' may not import room 'protocol'; it may import platform",
      },
    ]);
  });

  it('fails on an import past the door', () => {
    expect(
      lint('packages/host/src/config/bad.ts', `export { a } from '../platform/deep.ts';\n`),
    ).toEqual({
      code: 1,
      findings: [
        {
          code: 'rooms(imports)',
          message: "room 'platform' is entered through its index.ts, not '../platform/deep.ts'",
        },
      ],
    });
  });

  it('passes an import along the arrows, through the door', () => {
    const source = `export { a } from '../platform/index.ts';\nexport { ok } from '@plugboard/base';\n`;
    expect(lint('packages/host/src/config/good.ts', source)).toEqual({ code: 0, findings: [] });
  });
});

describe('rooms/ambient', () => {
  it.each([
    ['process', `export const a = process.env;\n`],
    ['process', `export const a = globalThis.process;\n`],
    ['Date.now', `export const a = Date.now();\n`],
    ['new Date()', `export const a = new Date();\n`],
    ['setTimeout', `setTimeout(() => 1, 2);\n`],
    ['performance.now', `export const a = performance.now();\n`],
    ['AbortSignal.timeout', `export const a = AbortSignal.timeout(5);\n`],
    ['fetch', `export const a = (get = fetch) => get;\n`],
    ['console', `console.log('hi');\n`],
    ['node:fs', `export { readFile } from 'node:fs';\n`],
    ['node:fs/promises', `export const a = () => import('node:fs/promises');\n`],
    ['node:child_process', `export type { ChildProcess } from 'node:child_process';\n`],
    ['node:http', `export { request } from 'node:http';\n`],
    ['@modelcontextprotocol/client', `export { Client } from '@modelcontextprotocol/client';\n`],
  ])('fails on %s outside its room', (what, source) => {
    const { code, findings } = lint('packages/host/src/config/bad.ts', source);
    expect({ code, rules: findings.map((finding) => finding.code) }).toEqual({
      code: 1,
      rules: ['rooms(ambient)'],
    });
    expect(findings[0]?.message).toMatch(`'${what}' is only for packages/`);
  });

  it('passes each in its own room or file', () => {
    expect([
      lint('packages/host/src/platform/good.ts', `export const a = process.env;\n`),
      lint('packages/host/src/protocol/good.ts', `export const a = (get = fetch) => get;\n`),
      lint('packages/base/src/clock.ts', `export const a = Date.now();\n`),
      lint('packages/testkit/src/good.ts', `export const a = [process, new Date()];\n`),
      lint('packages/host/test/good.ts', `export const a = [process, new Date()];\n`),
    ]).toEqual(Array.from({ length: 5 }, () => ({ code: 0, findings: [] })));
  });

  it('passes a local variable of the same name, a date from a number and a type', () => {
    const source = [
      `export const log = (console: { log(): void }): void => console.log();`,
      `export const at = (ms: number): Date => new Date(ms);`,
      `export type Fetch = typeof fetch;`,
      ``,
    ].join('\n');
    expect(lint('packages/host/src/config/good.ts', source)).toEqual({ code: 0, findings: [] });
  });
});

describe('the lint rules about size', () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, at) => `export const a${at} = ${at};\n`).join('');

  it('fail on a source file over 400 lines', () => {
    const { code, findings } = lint('packages/base/src/long.ts', lines(401));
    expect({ code, rules: findings.map((finding) => finding.code) }).toEqual({
      code: 1,
      rules: ['eslint(max-lines)'],
    });
  });

  it('fail on a function over 60 lines', () => {
    const body = Array.from({ length: 60 }, (_, at) => `  use(${at});\n`).join('');
    const source = `export function long(use: (at: number) => void): void {\n${body}}\n`;
    const { code, findings } = lint('packages/base/src/long.ts', source);
    expect({ code, rules: findings.map((finding) => finding.code) }).toEqual({
      code: 1,
      rules: ['eslint(max-lines-per-function)'],
    });
  });

  it('allow a test file 600 lines', () => {
    expect([
      lint('packages/base/test/a.test.ts', lines(600)).code,
      lint('packages/base/test/a.test.ts', lines(601)).code,
    ]).toEqual([0, 1]);
  });
});
