// Loading configuration from files with any content: it never throws, never loses a server of another file, and never
// starts anything.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder, times, verifies } from '@plugboard/testkit';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/admission/index.ts';
import { claim, type Claim } from '../../src/config/merge/claim.ts';
import { configure } from '../../src/config/merge/configured-server.ts';
import { mergeClaims, unite } from '../../src/config/merge/merge-claims.ts';
import { authorsIn, type Scope } from '../../src/config/text/scope.ts';
import { testEnvironment } from '../config/test-environment.ts';
import { expectSound, hostilePlace, loadHostile, placeIn, PLACES } from './hostile-place.ts';

const KEYS = [
  'mcpServers',
  'connectors',
  'allowedMcpServers',
  'deniedMcpServers',
  'serverName',
  'serverCommand',
  'command',
  'args',
  'env',
  'envFile',
  'cwd',
  'url',
  'type',
  'headers',
  'headersHelper',
  'oauth',
  'tools',
  'include',
  'permissions',
  'disabled',
  'timeout',
  'reconnect',
  'name',
  'servers',
  'answer',
  'at',
  'server',
  'mcp_config',
  'user_config',
  'values',
  'secrets',
  'consents',
  'format',
  'manifest_version',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'plugin:q:s',
  'connector:acme:s',
];

const words = fc.oneof(
  fc.constantFrom('sh', '${TOKEN}', '${NONE}', '${secret:A}', 'https://e.com', '/dev/zero', '..'),
  fc.constantFrom('stdio', 'http', 'sdk', '', '\0', '\u202E', '__proto__', 'eager'),
  fc.string({ unit: codePoint, maxLength: 8 }),
);

/** Values whose keys are mostly known keys. */
const { value } = fc.letrec<{ value: unknown; members: [string, unknown][] }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    fc.constantFrom(null, true, false, 0, 1, -1, 1e308, 3000),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('members').map((members) => new Members(members)),
  ),
  members: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...KEYS), words), tie('value')), {
    maxLength: 6,
  }),
}));

/** An object as in a file: any number of keys, with `__proto__` as an ordinary key. */
class Members {
  readonly members: readonly (readonly [string, unknown])[];

  constructor(members: readonly (readonly [string, unknown])[]) {
    this.members = members;
  }
}

function textOf(written: unknown): string {
  if (Array.isArray(written)) return `[${written.map(textOf).join(',')}]`;
  if (!(written instanceof Members)) return JSON.stringify(written);
  const lines = written.members.map(([key, inner]) => `${JSON.stringify(key)}:${textOf(inner)}`);
  return `{${lines.join(',')}}`;
}

const settings = fc
  .tuple(fc.constantFrom('mcpServers', 'connectors', 'server', 'answer'), value)
  .map(([key, inner]) => textOf(new Members([[key, inner]])));

const texts: fc.Arbitrary<string | Buffer> = fc.oneof(
  settings,
  value.map(textOf),
  // Cut off, or with an error in the middle.
  fc.tuple(settings, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
  fc
    .tuple(
      settings,
      fc.nat(),
      fc.constantFrom('{', '}', '"', ',', '\\', '/*', '\r\n', '\uFEFF', ''),
    )
    .map(([text, at, piece]) => {
      const middle = at % (text.length + 1);
      return `${text.slice(0, middle)}${piece}${text.slice(middle + 1)}`;
    }),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
);

async function fill(
  folder: TempFolder,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  for (const place of PLACES) await rm(join(folder.path, placeIn(folder, place)), { force: true });
  for (const [place, text] of Object.entries(files)) {
    await folder.write(placeIn(folder, place), text);
  }
}

describe('loading arbitrary files', () => {
  verifies('CFG-06', 'CFG-01');

  it('always yields a consistent configuration', async () => {
    await using folder = await tempFolder();
    await hostilePlace(folder);
    const files = fc.dictionary(fc.constantFrom(...PLACES), texts, { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(files, async (written) => {
        await fill(folder, written);
        expectSound(await loadHostile(folder));
      }),
      { numRuns: times(80, 400) },
    );
  });

  it('yields only existing servers from a file that is cut anywhere', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    const entries = {
      one: { command: 'one', args: ['a', '\u00E9'], env: { A: '1' }, disabled: true },
      two: { url: 'https://two.example', headers: { A: 'b' } },
      three: { command: 'three' },
    };
    const text = JSON.stringify({ mcpServers: entries }, undefined, 1);
    const bytes = Buffer.from(text);
    const environment = testEnvironment(folder.path);
    const load = async () => readConfiguration({ environment, enterprise: [] });
    await folder.write('project/.mcp.json', text);
    const whole = new Map((await load()).servers.map(({ name, written }) => [name, written]));
    expect(whole.size).toBe(3);
    for (let length = 0; length < bytes.length; length += 1) {
      await folder.write('project/.mcp.json', bytes.subarray(0, length));
      const { servers, diagnostics } = await load();
      for (const { name, written } of servers) expect(written).toEqual(whole.get(name));
      expect(diagnostics.length).toBeGreaterThan(0);
      // All servers that were closed before the last one began.
      const begun = Object.keys(entries).filter(
        (name) => Buffer.byteLength(text.slice(0, text.indexOf(`"${name}":`))) < length - 6,
      );
      const names = servers.map(({ name }) => name);
      expect(begun.slice(0, -1).filter((name) => !names.includes(name))).toEqual([]);
    }
  });
});

describe('merging arbitrary entries', () => {
  verifies('CFG-06', 'CFG-08');

  const scopes: readonly Scope[] = ['dynamic', 'local', 'project', 'user', 'plugin', 'connector'];
  const place = {
    server: 's',
    keyAt: () => ({ file: 'f', line: 1, column: 1 }),
    valueAt: () => ({ file: 'f', line: 1, column: 1 }),
  };
  const entries = fc.oneof(
    value.map((written) => JSON.parse(textOf(written)) as unknown),
    fc
      .array(fc.tuple(fc.constantFrom(...KEYS), value), { maxLength: 8 })
      .map((members) => JSON.parse(textOf(new Members(members))) as unknown),
  );
  const claims: fc.Arbitrary<readonly Claim[]> = fc
    .array(fc.tuple(fc.constantFrom(...scopes), fc.nat(3), entries), {
      minLength: 1,
      maxLength: 6,
    })
    .map((written) =>
      written.map(([scope, position, entry]) =>
        claim({
          name: 's',
          value: entry,
          scope,
          position,
          folder: '/f',
          origin: { kind: 'file', file: 'f', line: 1, column: 1 },
          place,
        }),
      ),
    );

  it('yields one server or the reasons why not, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(claims, async (all) => {
        const folders = { project: '/work', root: '/work', neutral: '/neutral' };
        const authorOf = authorsIn({ root: '/work', environment: { home: '/home/me' } });
        const around = { lookup: () => undefined, folders, authorOf };
        const merged = await configure(mergeClaims('s', unite(all, [])), around);
        expect(merged.kind === 'usable' || merged.server.diagnostics.length > 0).toBe(true);
        const distinct = new Map(all.map((one) => [`${one.scope} ${one.position}`, one]));
        const again = [...distinct.values()];
        expect(await configure(mergeClaims('s', unite([], again.toReversed())), around)).toEqual(
          await configure(mergeClaims('s', unite(again, [])), around),
        );
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: times(120, 500) },
    );
  });
});

describe('loading large files', () => {
  verifies('CFG-06');

  it('works with more servers than a file will ever have', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    const count = times(20_000, 100_000);
    const bad = count * 0.7;
    const lines = Array.from(
      { length: count },
      (_, index) => `"s${index}":{"command":"c${index}"}`,
    );
    lines[bad] = '"bad":{"command":7}';
    const text = `{"mcpServers":{\n${lines.join(',\n')}}}`;
    const file = await folder.write('home/.config/plugboard/settings.json', text);
    const environment = testEnvironment(folder.path);
    const found = await readConfiguration({ environment, enterprise: [] });
    expect(found.servers.length).toBe(count - 1);
    expect(found.diagnostics).toMatchObject([
      { code: 'wrong-type', file, line: bad + 2, server: 'bad' },
    ]);
  });

  it('works with ten megabytes in one value, beside small servers', async () => {
    await using folder = await tempFolder();
    await hostilePlace(folder);
    const huge = 'x'.repeat(10 * 1024 * 1024);
    const mcpServers = {
      value: { command: 'c', env: { HUGE: huge } },
      wrong: { command: 'c', timeout: huge },
      url: { url: huge },
      [huge]: { command: 'c' },
    };
    for (const entry of Object.entries(mcpServers)) {
      await folder.write(
        'project/.mcp.json',
        JSON.stringify({ mcpServers: Object.fromEntries([entry]), [huge.slice(0, 4e6)]: 1 }),
      );
      const found = await loadHostile(folder);
      expectSound(found);
      const longest = Math.max(...found.diagnostics.map(({ message }) => message.length), 0);
      expect(longest).toBeLessThan(1000);
    }
  });

  it.each([
    ['lists that never end', `{"mcpServers":{"a":${'['.repeat(3_000_000)}`],
    ['objects that never end', `{"mcpServers":${'{"a":'.repeat(1_000_000)}`],
    ['objects in objects', `{"a":${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}}`],
    ['comments', `${'/**/'.repeat(1_000_000)}{}`],
    ['commas', `{"mcpServers":{${','.repeat(500_000)}}}`],
    ['quotes', '"'.repeat(500_000)],
    ['lines', `{${'\n'.repeat(4_000_000)}"mcpServers":{"a":{"command":7}}}`],
    ['one key again and again', `{"mcpServers":{${'"a":{"command":"c"},'.repeat(20_000)}}}`],
  ])('works with nothing but %s', async (_, text) => {
    await using folder = await tempFolder();
    await hostilePlace(folder);
    for (const place of ['project/.mcp.json', 'home/.config/plugboard/plugins/r/manifest.json']) {
      await folder.write(place, text);
      expectSound(await loadHostile(folder));
    }
  });
});
