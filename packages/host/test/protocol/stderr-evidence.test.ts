import { describe, expect, it } from 'vitest';
import { tooOldRuntime } from '../../src/protocol/transport/stderr-evidence.ts';

const WARNED = `npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: '@bytebase/dbhub@1.4.0',
npm warn EBADENGINE   required: { node: '>=22.5.0' },
npm warn EBADENGINE   current: { node: 'v20.20.2', npm: '11.19.1' }
npm warn EBADENGINE }`;

const NO_MODULE = `node:internal/modules/cjs/loader:1224
Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite
    at Module._load (node:internal/modules/cjs/loader:1224:13)

Node.js v20.20.2`;

const NO_EXPORT = `file:///home/me/.npm/_npx/1/node_modules/x/index.js:1
SyntaxError: The requested module 'node:fs/promises' does not provide an export named 'glob'

Node.js v20.20.2`;

const NO_PARSE = `/home/me/.npm/_npx/1/node_modules/x/index.js:3
using file = open();
      ^^^^

SyntaxError: Unexpected identifier 'file'

Node.js v20.20.2`;

function failed(text: string, kind: 'exited' | 'timeout' = 'exited') {
  const evidence = { stderr: text.split('\n'), strayLines: 0, lastStrayLine: undefined };
  return kind === 'exited'
    ? ({ kind, exit: { code: 1, signal: null }, evidence } as const)
    : ({ kind, ms: 30_000, evidence } as const);
}

describe('a server that needs a newer Node.js', () => {
  it.each([
    ['npm refuses it', `npm error code EBADENGINE\n${WARNED}`, '>=22.5.0', 'v20.20.2'],
    ['npm warned, and it crashed', `${WARNED}\n${NO_PARSE}`, '>=22.5.0', 'v20.20.2'],
    ['a module of Node.js is missing', NO_MODULE, undefined, 'v20.20.2'],
    [
      'a function of Node.js is missing',
      NO_EXPORT.replace('fs/promises', 'fs'),
      undefined,
      'v20.20.2',
    ],
    ['its package does not parse', NO_PARSE, undefined, 'v20.20.2'],
  ])('is recognized by its stderr: %s', (_, text, needs, has) => {
    expect(tooOldRuntime(failed(text))).toMatchObject({
      kind: 'runtime-too-old',
      runtime: 'Node.js',
      ...(needs === undefined ? {} : { needs }),
      has,
    });
  });

  it('is recognized by the warning of npm if the server never answered', () => {
    expect(tooOldRuntime(failed(WARNED, 'timeout'))).toMatchObject({ needs: '>=22.5.0' });
  });

  it.each([
    ['nothing', ''],
    ['an error of its own after a warning', `${WARNED}\nerror: DSN is not set`],
    ['a mistake in the own code of the user', NO_PARSE.replace('/node_modules', '')],
  ])('is not assumed for the output %s', (_, text) => {
    expect(tooOldRuntime(failed(text))).toBeUndefined();
  });
});
