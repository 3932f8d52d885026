import { readFileSync } from 'node:fs';
import { isObject, type Json, type JsonObject } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settingsFiles } from '../../../../../tooling/settings/settings-files.ts';
import { entryShape, FIELD_KEYS } from '../../../src/config/fields/entry-fields.ts';
import { ALL_TRANSPORTS } from '../../../src/config/fields/transports.ts';
import { checkName } from '../../../src/config/fields/server-name.ts';
import { unknownKeys } from '../../../src/config/fields/unknown-keys.ts';
import { readEntry } from '../../../src/config/merge/read-entry.ts';
import { mcpJsonSchema, settingsSchema } from '../../../src/config/settings/settings-schema.ts';
import { settingsShape } from '../../../src/config/settings/settings-shape.ts';
import type { AnyShape } from '../../../src/config/text/shape.ts';
import { mutated, valueOf } from './shape-arbitraries.ts';

const ROOT = new URL('../../../../../', import.meta.url);
const ENTRY_TYPES = ALL_TRANSPORTS.flatMap(({ types }) => types);
const ajv = new Ajv({ strict: true, allErrors: false });
const settingsCheck = ajv.compile(settingsSchema());
const mcpJsonCheck = ajv.compile(mcpJsonSchema());

function schemaTakes(entry: Json): boolean {
  return settingsCheck({ mcpServers: { server: entry } });
}

/** Whether our reader accepts each field of an entry without a finding. */
function readerTakes(entry: Json): boolean {
  if (!isObject(entry) || entryShape.problems(entry).length > 0) return false;
  const { type } = entry;
  const isKnownType = type === undefined || ENTRY_TYPES.some((known) => known === type);
  return isKnownType && unknownKeys(entry).length === 0;
}

/** Every object with fields below a schema, by its path. */
function objectsIn(schema: JsonObject, path = ''): readonly (readonly [string, JsonObject])[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (!isObject(value)) return [];
    const at = `${path}/${key}`;
    const own = key === 'properties' ? [[path, value] as const] : [];
    return [...own, ...objectsIn(value, at)];
  });
}

describe('the JSON Schema of an entry', () => {
  verifies('CFG-06');

  it('accepts every entry that the reader accepts, and refuses every other', () => {
    const entry = valueOf(entryShape);
    const verdicts = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.oneof(entry, mutated(entry), fc.jsonValue() as fc.Arbitrary<Json>),
        (value) => {
          const isTaken = readerTakes(value);
          verdicts[isTaken ? 'taken' : 'refused'] += 1;
          expect(schemaTakes(value)).toBe(isTaken);
        },
      ),
      { numRuns: 2000 },
    );
    // Both cases must be frequent, or the law proves little.
    expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(300);
  });

  it.each([
    { command: '${NODE:-node}', args: ['${A}'], env: { A: '${B}' }, cwd: '${HOME}/x' },
    { url: '${BASE}/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
    { disabled: true },
    { env: { ONE: 'patched' } },
    {},
  ])('accepts %j: variables, and entries that change a field of another', (entry) => {
    expect(schemaTakes(entry)).toBe(true);
  });

  it.each([
    { command: 'x', comand: 'y' },
    { command: 'x', reconnect: { attempts: 3 } },
    { command: 'x', tools: { only: [] } },
    { command: 'x', permissions: { allow: [] } },
  ])('refuses %j, for whose unknown key the reader only warns', (entry) => {
    expect(schemaTakes(entry)).toBe(false);
    expect(readEntry(entry)).toMatchObject({
      entry: { kind: 'stdio' },
      findings: [{ severity: 'warning', code: 'unknown-key' }],
    });
  });

  it('refuses an invalid permission, like the reader', () => {
    const entry = { command: 'x', permissions: { readPermission: 'maybe' } };
    expect(schemaTakes(entry)).toBe(false);
    expect(readEntry(entry)).toEqual({
      findings: [
        {
          severity: 'error',
          code: 'bad-value',
          path: ['permissions', 'readPermission'],
          on: 'value',
          message: '"permissions.readPermission" must be "allow", "ask" or "deny".',
          suggestion: 'Write it like "permissions": { "deniedTools": ["delete_*"] }.',
        },
      ],
    });
  });

  it.each([
    [{ clientId: 'c', scopes: 'a b', callbackPort: 8123, callbackHost: 'localhost' }, true],
    [{ scopes: ['a', 'b'], xaa: true, dpop: false }, true],
    [{ xaa: { issuer: 'https://idp.example', clientId: 'c' } }, true],
    [{ scope: 'a' }, false],
    [{ client_id: 'c' }, false],
    [{ callbackPort: 'abc' }, false],
    [{ xaa: { isuer: 'https://idp.example' } }, false],
  ])('states whether oauth may be %j', (oauth, isTaken) => {
    expect(schemaTakes({ url: 'https://x', oauth })).toBe(isTaken);
  });

  it.each([...ENTRY_TYPES, 'stdoi', 'HTTP', ''])('agrees with the reader about type %j', (type) => {
    const { schemes = [] } = ALL_TRANSPORTS.find(({ types }) => types.includes(type)) ?? {};
    const target = type === 'stdio' ? { command: 'x' } : { url: `${schemes[0] ?? 'http:'}//x` };
    const isRead = readEntry({ type, ...target }).entry !== undefined;
    expect(schemaTakes({ type })).toBe(isRead);
  });
});

describe('the JSON Schema of settings', () => {
  it('accepts all settings that their shape accepts, and refuses all others', () => {
    const { mcpServers: _, ...rest } = settingsShape.form.shapes;
    const shape: AnyShape = { ...settingsShape, form: { kind: 'fields', shapes: rest } };
    const settings = valueOf(shape);
    const verdicts = { taken: 0, refused: 0 };
    const known = new Set<string>(settingsShape.keys);
    fc.assert(
      fc.property(fc.oneof(settings, mutated(settings)), (value) => {
        const isTaken =
          settingsShape.problems(value).length === 0 &&
          Object.keys(value as object).every((key) => known.has(key)) &&
          Object.values((value as { connectors?: object }).connectors ?? {}).every(hasNoStranger);
        verdicts[isTaken ? 'taken' : 'refused'] += 1;
        expect(settingsCheck(value)).toBe(isTaken);
      }),
      { numRuns: 1000 },
    );
    expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(150);
  });

  it('accepts valid server names, and no others', () => {
    const name = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[A-Za-z0-9_-]{1,70}$/),
      fc.constantFrom('codebase', 'workspace', 'mcpServers', '__proto__', 'a b', ''),
    );
    fc.assert(
      fc.property(name, (one) => {
        const servers = JSON.parse(`{ ${JSON.stringify(one)}: {} }`) as JsonObject;
        expect(settingsCheck({ mcpServers: servers })).toBe(checkName(one) === undefined);
      }),
    );
  });

  it.each([
    [{ serverName: 'files' }, true],
    [{ serverUrl: 'https://*.example.com/*' }, true],
    [{ serverCommand: ['npx', '-y', 'x'] }, true],
    [{ serverCommand: [] }, false],
    [{ serverName: 'a', serverUrl: 'b' }, false],
    [{ serverName: '' }, false],
    [{ name: 'files' }, false],
    [{}, false],
    ['files', false],
  ])('validates a policy rule: %j', (rule, isRule) => {
    for (const key of ['allowedMcpServers', 'deniedMcpServers']) {
      expect(settingsCheck({ [key]: [rule] })).toBe(isRule);
      expect(settingsShape.problems({ [key]: [rule] }).length === 0).toBe(isRule);
    }
  });

  it('does not accept a bare map of servers, but that of .mcp.json does', () => {
    const bare = { files: { command: 'npx' } };
    const wrapped = { mcpServers: bare };
    expect([bare, wrapped, {}].map((value) => settingsCheck(value))).toEqual([false, true, true]);
    expect(
      [bare, wrapped, { $schema: './x.json', ...bare }, {}].map((value) => mcpJsonCheck(value)),
    ).toEqual([true, true, true, true]);
    expect(
      [
        { files: { comand: 'npx' } },
        { 'a b': { command: 'npx' } },
        { mcpServers: bare, extra: {} },
        { mcpServers: { files: 'npx' } },
        { servers: bare },
        [],
      ].map((value) => mcpJsonCheck(value)),
    ).toEqual([false, false, false, false, false, false]);
  });
});

describe.each([
  ['settings.schema.json', settingsSchema()],
  ['mcp.schema.json', mcpJsonSchema()],
])('the published schema %s', (_, schema) => {
  it('is valid by the rules of its draft', () => {
    expect(ajv.validateSchema(schema)).toBe(true);
  });

  it('describes every field', () => {
    const fields = objectsIn(schema).flatMap(([path, properties]) =>
      Object.entries(properties).map(([name, field]) => [
        `${path}/${name}`,
        (field as JsonObject)['description'],
      ]),
    );
    expect(fields.length).toBeGreaterThan(30);
    expect(
      fields.filter(([, words]) => typeof words !== 'string' || !/^[A-Z].*\.$/.test(words)),
    ).toEqual([]);
  });

  it('names every field of an entry, with examples for those that cannot be guessed', () => {
    const { definitions } = schema as { definitions: { server: { properties: JsonObject } } };
    expect(Object.keys(definitions.server.properties)).toEqual(FIELD_KEYS);
    const examples = Object.entries(definitions.server.properties).flatMap(([key, field]) =>
      ((field as { examples?: Json[] }).examples ?? []).map((example) => ({ [key]: example })),
    );
    expect(examples.length).toBeGreaterThan(10);
    expect(examples.filter((entry) => !schemaTakes(entry))).toEqual([]);
  });
});

describe('the generated files', () => {
  it('are up to date: the published schemas and docs/settings.md', () => {
    const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
    const stale = settingsFiles(read).filter(({ path, text }) => read(path) !== text);
    // To correct this: npm run schema -- --write
    expect(stale.map(({ path }) => path)).toEqual([]);
  });

  it('are published', () => {
    const manifest = JSON.parse(
      readFileSync(new URL('packages/host/package.json', ROOT), 'utf8'),
    ) as { exports: object; files: string[] };
    expect(manifest.exports).toMatchObject({
      './settings.schema.json': './settings.schema.json',
      './mcp.schema.json': './mcp.schema.json',
    });
    expect(manifest.files).toContain('*.schema.json');
  });
});

function hasNoStranger(connector: unknown): boolean {
  return Object.keys(connector as object).every((key) =>
    ['url', 'headers', 'headersHelper'].includes(key),
  );
}
