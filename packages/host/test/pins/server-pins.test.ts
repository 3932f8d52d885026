// Sealed lists over several runs: each `ServerPins` is its own run on the same files.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope, silentLogger, systemClock } from '@plugboard/base';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { PinnedDefinition } from '../../src/pins/definition-hash.ts';
import { PinStore } from '../../src/pins/pin-store.ts';
import { type PinnedList, ServerPins } from '../../src/pins/server-pins.ts';

const KEY = 'a'.repeat(40);
const READ = { name: 'read', description: 'Reads a file.' };
const WRITE = { name: 'write', description: 'Writes a file.' };
const OTHER_READ = { name: 'read', description: 'Reads a file, or a folder.' };

async function givenState(scope: Scope) {
  const folder = scope.use(await tempFolder());
  const store = new PinStore(folder.path);
  const run = (): ServerPins =>
    new ServerPins({
      store,
      clock: systemClock,
      logger: silentLogger,
      mode: () => 'tofu',
      subjectOf: (server) => ({ server, key: KEY, software: 'x' }),
      subjects: () => [],
    });
  /** The list as it is read from a file. */
  const recalled = (tools: readonly PinnedDefinition[]): PinnedList & { tools: typeof tools } =>
    JSON.parse(JSON.stringify({ tools }));
  return { file: join(folder.path, 'pins', `${KEY}.json`), run, recalled };
}

async function admitted(pins: ServerPins, list: { readonly tools: readonly PinnedDefinition[] }) {
  await pins.judge('s', list);
  return list.tools.filter((tool) => pins.admits('s', 'tool', tool)).map(({ name }) => name);
}

describe('a sealed list of tools', () => {
  verifies('POL-05');

  it('is admitted as received and as stored, and no other list is', async () => {
    await using scope = new Scope();
    const { run, recalled, file } = await givenState(scope);
    expect(await admitted(run(), { tools: [READ, WRITE] })).toEqual(['read', 'write']);
    const sealed = await readFile(file, 'utf8');
    expect(JSON.parse(sealed)).toMatchObject({ seal: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await admitted(run(), recalled([READ, WRITE]))).toEqual(['read', 'write']);
    expect(await admitted(run(), recalled([OTHER_READ, WRITE]))).toEqual(['write']);
    // The same tools in another order are another list.
    expect(await admitted(run(), recalled([WRITE, READ]))).toEqual(['write', 'read']);
  });

  it('is no longer admitted after a part of it was replaced by an acceptance', async () => {
    await using scope = new Scope();
    const { run, recalled } = await givenState(scope);
    await admitted(run(), { tools: [READ, WRITE] });
    const pins = run();
    await pins.judge('s', recalled([OTHER_READ, WRITE]));
    await pins.accept('s', [{ kind: 'tool', definition: OTHER_READ }]);
    expect(await admitted(run(), recalled([OTHER_READ, WRITE]))).toEqual(['read', 'write']);
    expect(await admitted(run(), recalled([READ, WRITE]))).toEqual(['write']);
    // Also in the run that had admitted it.
    const old = recalled([READ, WRITE]);
    expect(await admitted(pins, old)).toEqual(['write']);
  });

  it('is not admitted with an invalid seal', async () => {
    await using scope = new Scope();
    const { run, recalled, file } = await givenState(scope);
    await admitted(run(), { tools: [READ] });
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/"seal": "[0-9a-f]+"/, '"seal": "x"'));
    expect(await admitted(run(), recalled([READ]))).toEqual([]);
  });
});
