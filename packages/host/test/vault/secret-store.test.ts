// The contract of every driver.

import { join } from 'node:path';
import { err, ok, systemClock } from '@plugboard/base';
import {
  missingForSecretService,
  type SecretService,
  startSecretService,
  tempFolder,
  verifies,
} from '@plugboard/testkit';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerEntry } from '../../src/config/fields/server-entry.ts';
import { readEntry } from '../../src/config/merge/read-entry.ts';
import { expandEntry } from '../../src/config/resolve/expand.ts';
import { secretsIn } from '../../src/config/resolve/secret-marks.ts';
import { fileSecrets } from '../../src/vault/file-secrets.ts';
import { isSecretName, memorySecrets, type SecretStore } from '../../src/vault/index.ts';
import { systemKeychain } from '../../src/vault/system-keychain.ts';

interface OpenStore extends AsyncDisposable {
  readonly store: SecretStore;
}

const KEYCHAIN = 'fileSecrets with a keychain';
const missing = missingForSecretService();
let service: SecretService | undefined;
beforeAll(async () => {
  if (missing === undefined) service = await startSecretService();
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
});

const DRIVERS: Readonly<Record<string, () => Promise<OpenStore>>> = {
  memorySecrets: () =>
    Promise.resolve({
      store: memorySecrets(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
  fileSecrets: async () => {
    const folder = await tempFolder();
    const store = fileSecrets({
      file: join(folder.path, 'state/secrets.json'),
      keyFile: join(folder.path, 'config/secrets.key'),
      clock: systemClock,
    });
    return { store, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  },
  [KEYCHAIN]: async () => {
    const folder = await tempFolder();
    const environment = { env: service?.env ?? {}, platform: process.platform };
    const store = fileSecrets({
      file: join(folder.path, 'state/secrets.json'),
      keyFile: join(folder.path, 'config/secrets.key'),
      keychain: systemKeychain({ environment, clock: systemClock }),
      choice: 'keychain',
      clock: systemClock,
    });
    return { store, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  },
};

const anyName = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/),
  fc.constantFrom('__proto__', 'constructor', 'toString', '.', '..', '-', '1'),
);
const anyValue = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => !text.includes('\0') && Buffer.from(text).toString() === text);

describe.each(Object.entries(DRIVERS))('secrets of %s', (driver, open) => {
  verifies('AUT-10');

  beforeEach(({ skip }) => {
    skip(driver === KEYCHAIN && missing !== undefined, `${missing} is not installed`);
  });

  it('are none at first', async () => {
    await using opened = await open();
    const { store } = opened;
    expect(await store.names()).toEqual(ok([]));
    expect(await store.get('TOKEN')).toEqual(ok(undefined));
    expect(await store.remove('TOKEN')).toEqual(ok(false));
  });

  it('are returned as they were set, the last one for each name', async () => {
    await using opened = await open();
    const { store } = opened;
    expect(await store.set('b', 'first')).toEqual(ok(undefined));
    expect(await store.set('A', ' lines\nand ünïcode 🔑 ')).toEqual(ok(undefined));
    expect(await store.set('b', 'second')).toEqual(ok(undefined));
    expect(await store.get('A')).toEqual(ok(' lines\nand ünïcode 🔑 '));
    expect(await store.get('b')).toEqual(ok('second'));
    expect(await store.get('B')).toEqual(ok(undefined));
    expect(await store.names()).toEqual(ok(['A', 'b']));
  });

  it('are gone once removed', async () => {
    await using opened = await open();
    const { store } = opened;
    await store.set('a', '1');
    await store.set('b', '2');
    expect(await store.remove('a')).toEqual(ok(true));
    expect(await store.remove('a')).toEqual(ok(false));
    expect(await store.get('a')).toEqual(ok(undefined));
    expect(await store.remove('b')).toEqual(ok(true));
    expect(await store.names()).toEqual(ok([]));
    await store.set('a', '3');
    expect(await store.get('a')).toEqual(ok('3'));
  });

  it('are all stored when set at the same time', async () => {
    await using opened = await open();
    const { store } = opened;
    const names = Array.from({ length: 12 }, (_unused, index) => `secret-${index + 10}`);
    await Promise.all(names.map((name) => store.set(name, `value of ${name}`)));
    expect(await store.names()).toEqual(ok(names));
  });

  it.each(['', 'a b', 'TOKEN=value', 'ü', 'a/b', 'a\n', 'x'.repeat(129)])(
    'have names of letters, digits, _ . and -, and not %j, which is not repeated',
    async (name) => {
      await using opened = await open();
      const { store } = opened;
      const problem = err({ kind: 'invalid-name' });
      expect(isSecretName(name)).toBe(false);
      expect(await store.get(name)).toEqual(problem);
      expect(await store.set(name, 'value')).toEqual(problem);
      expect(await store.remove(name)).toEqual(problem);
      expect(await store.names()).toEqual(ok([]));
    },
  );

  it('are text of 1 byte to 64 KiB', async () => {
    await using opened = await open();
    const { store } = opened;
    const longest = 'ü'.repeat(32 * 1024);
    expect(await store.set('a', longest)).toEqual(ok(undefined));
    expect(await store.get('a')).toEqual(ok(longest));
    expect(await store.set('a', `${longest}x`)).toEqual(
      err({ kind: 'too-long', bytes: 65_537, limit: 65_536 }),
    );
    expect(await store.set('a', '')).toEqual(err({ kind: 'invalid-value', reason: 'empty' }));
    for (const noText of ['\uD800', 'a\0b']) {
      expect(await store.set('a', noText)).toEqual(
        err({ kind: 'invalid-value', reason: 'not-text' }),
      );
    }
    expect(await store.get('a')).toEqual(ok(longest));
  });

  it('behave like a map, in any sequence of operations', async () => {
    const anyStep = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), name: anyName, value: anyValue }),
      fc.record({ kind: fc.constant('remove' as const), name: anyName }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 8 }), async (steps) => {
        await using opened = await open();
        const { store } = opened;
        const model = new Map<string, string>();
        for (const step of steps) {
          if (step.kind === 'set') {
            expect(await store.set(step.name, step.value)).toEqual(ok(undefined));
            model.set(step.name, step.value);
          } else {
            expect(await store.remove(step.name)).toEqual(ok(model.delete(step.name)));
          }
        }
        expect(await store.names()).toEqual(ok([...model.keys()].toSorted()));
        for (const [name, value] of model) expect(await store.get(name)).toEqual(ok(value));
      }),
      { numRuns: 30 },
    );
  });
});

it('valid secret names are those that an entry can write as a placeholder', () => {
  const oddName = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '_', '.', '-', ' ', ':', 'ü') });
  fc.assert(
    fc.property(fc.oneof(anyName, oddName, fc.constant('x'.repeat(129))), (name) => {
      const entry = readEntry({ command: `\${secret:${name}}` }).entry as ServerEntry;
      const expanded = expandEntry(entry, () => undefined);
      const needed = expanded.ok ? secretsIn(expanded.value) : [];
      expect(needed).toEqual(isSecretName(name) ? [name] : []);
    }),
  );
});
