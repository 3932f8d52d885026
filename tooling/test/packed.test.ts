// Tests the packages as npm packs them, in a separate folder, with a program in TypeScript, one in CommonJS and two
// bundled ones. Uses the build.

import { repositoryRoot } from '../source/files.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstalledPackages, installPacked } from './packed-packages.ts';
import { tempTree } from './temp-tree.ts';

const FOLDERS = ['base', 'host', 'agent', 'codebase', 'cli'];
const TSC = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
const SERVER = join(
  repositoryRoot,
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const PROGRAM = `
import { HostToolbox } from '@plugboard/agent';
import { createWorkspace } from '@plugboard/agent/workspace';
import { createHost, type Approver, type HostOptions, toText } from '@plugboard/host';
import * as adapters from '@plugboard/host/adapters';
import * as configuration from '@plugboard/host/configuration';
import * as lists from '@plugboard/host/connector-lists';
import * as decisions from '@plugboard/host/decisions';
import * as known from '@plugboard/host/known-tools';
import * as recorded from '@plugboard/host/recorded';
import * as sharedServers from '@plugboard/host/shared-servers';

export const all = [HostToolbox, createWorkspace, adapters, configuration, lists, decisions, known, recorded, sharedServers];
const approve: Approver = ({ tool }) =>
  tool.isDestructive ? { kind: 'deny', reason: 'no' } : { kind: 'allow' };
const everything = { command: process.execPath, args: [${JSON.stringify(SERVER)}, 'stdio'] };
const options: HostOptions = { servers: { everything }, files: 'none', approve };
await using host = await createHost(options);
const outcome = await host.call('mcp__everything__echo', { message: 'hi' });
console.log(outcome.kind === 'result' ? toText(outcome.parts) : outcome);
`;
const SCRIPT = `
(async () => {
  const { allowAll, createHost, toText } = LOADED;
  const everything = { command: process.execPath, args: [${JSON.stringify(SERVER)}, 'stdio'] };
  const host = await createHost({ servers: { everything }, files: 'none', approve: allowAll });
  const outcome = await host.call('mcp__everything__echo', { message: 'hi' });
  console.log(outcome.kind === 'result' ? toText(outcome.parts) : outcome);
  await host.close();
})();
`;

describe('the packed packages', () => {
  let installed: InstalledPackages;

  beforeAll(() => {
    installed = installPacked(FOLDERS, ['@types/node', 'undici-types']);
  });
  afterAll(() => installed[Symbol.dispose]());

  it('contain their licence, a readme, their sources, and nothing that only builds or tests need', () => {
    const licence = readFileSync(join(repositoryRoot, 'LICENSE'), 'utf8');
    const wrong = installed.packages.flatMap(({ name, folder, files, manifest }) => [
      ...(manifest.license === 'Apache-2.0' ? [] : [`${name}: licence`]),
      ...(manifest.scripts === undefined ? [] : [`${name}: scripts`]),
      ...(manifest.engines === undefined ? [`${name}: engines`] : []),
      ...(readFileSync(join(folder, 'LICENSE'), 'utf8') === licence ? [] : [`${name}: LICENSE`]),
      ...(files.includes('README.md') ? [] : [`${name}: README.md`]),
      ...files.filter((file) => /tsbuildinfo|tsconfig|\.test\.|(^|[\\/])test[\\/]/.test(file)),
      ...files.filter((file) => sourceIsMissing(join(folder, file))),
      ...files.filter((file) => readFileSync(join(folder, file), 'utf8').includes(repositoryRoot)),
    ]);
    expect(wrong).toEqual([]);
    expect(installed.packages).toHaveLength(FOLDERS.length);
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'preserve'],
  ])(
    'are typed for a strict program with %s, with their own declarations checked',
    (moduleResolution, module) => {
      installed.write({ 'src/program.ts': PROGRAM });
      const options = ['--moduleResolution', moduleResolution, '--module', module];
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false'];
      const lib = ['--target', 'es2022', '--lib', 'es2022,esnext.disposable', '--types', 'node'];
      const out = ['--outDir', 'out', '--rootDir', 'src', 'src/program.ts'];
      const compiled = [TSC, '--listFiles', ...options, ...strict, ...lib, ...out];
      // A program with its own model does not check the types of providers as well.
      expect(installed.run(process.execPath, compiled)).not.toContain('@ai-sdk');
      expect(installed.run(process.execPath, ['out/program.js'])).toBe('Echo: hi\n');
    },
  );

  it('work in a CommonJS program', () => {
    installed.write({ 'program.cjs': SCRIPT.replace('LOADED', `require('@plugboard/host')`) });
    expect(installed.run(process.execPath, ['program.cjs'])).toBe('Echo: hi\n');
  });

  it.each(['es', 'cjs'] as const)(
    'work in a bundle (%s) without configuration, away from all packages',
    async (format) => {
      installed.write({
        'program.mjs': `import * as library from '@plugboard/host';${SCRIPT.replace('LOADED', 'library')}`,
      });
      await using bundle = await rolldown({
        input: join(installed.root, 'program.mjs'),
        platform: 'node',
        external: ['sharp', '@napi-rs/keyring'],
      });
      using elsewhere = tempTree({});
      const file = format === 'es' ? 'program.mjs' : 'program.cjs';
      await bundle.write({ dir: elsewhere.root, format, entryFileNames: file });
      expect(installed.run(process.execPath, [join(elsewhere.root, file)])).toBe('Echo: hi\n');
    },
  );

  it('contain the command, and its code search server', () => {
    const command = join(installed.root, 'node_modules/plugboard/bin/plugboard.js');
    const listed: unknown = JSON.parse(
      installed.run(process.execPath, [command, 'list', '--json']),
    );
    expect(listed).toMatchObject({ servers: [{ name: 'codebase', state: 'idle' }] });
    const asked = [command, 'tools', 'codebase', '--json', '--refresh'];
    expect(installed.run(process.execPath, asked)).toContain('search_code');
  });
});

/** Whether it is a source map of a missing file. */
function sourceIsMissing(file: string): boolean {
  if (!file.endsWith('.map')) return false;
  const { sources } = JSON.parse(readFileSync(file, 'utf8')) as { readonly sources: string[] };
  return sources.some((source) => !existsSync(join(file, '..', source)));
}
