import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { ForeignFile } from '../../src/foreign/foreign-servers.ts';
import type { ForeignHostId } from '../../src/foreign/hosts/foreign-host.ts';
import { planImport } from '../../src/foreign/plan-import.ts';

type Entries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function declares(
  host: ForeignHostId,
  servers: Entries,
  owner: ForeignFile['owner'] = 'user',
): ForeignFile {
  const at = { file: `/${owner}/${host}`, line: 1, column: 1 };
  return {
    host,
    path: at.file,
    owner,
    diagnostics: [],
    servers: Object.entries(servers).map(([name, entry]) => ({ name, entry, notes: [], at })),
  };
}

/** `name: kind of change, sources`. */
function plan(found: readonly ForeignFile[], existing: Entries = {}): readonly string[] {
  return planImport(found, new Map(Object.entries(existing))).map(
    ({ name, change, sources }) =>
      `${name}: ${change.kind}, ${sources.map(({ at }) => at.file).join(' and ')}`,
  );
}

describe('the plan of an import', () => {
  verifies('CFG-13');

  it('distinguishes new, same and different servers, with the fields that differ', () => {
    const found = declares('cursor', {
      fresh: { command: 'a' },
      kept: { command: 'b', env: { X: '1', Y: '2' } },
      moved: { url: 'https://new.example.com', headers: { A: '1', B: '2' }, timeout: 5 },
    });
    const moved = { url: 'https://old.example.com', headers: { A: '1', C: '3' }, timeout: 5 };
    const planned = planImport(
      [found],
      new Map<string, unknown>([
        ['kept', { env: { Y: '2', X: '1' }, command: 'b' }],
        ['moved', moved],
      ]),
    );
    const at = { file: '/user/cursor', line: 1, column: 1 };
    const under = (name: string) => ({
      name,
      notes: [],
      sources: [{ host: 'cursor', owner: 'user', name, at }],
    });
    expect(planned).toEqual([
      { ...under('fresh'), entry: { command: 'a' }, change: { kind: 'new' } },
      {
        ...under('kept'),
        entry: { command: 'b', env: { X: '1', Y: '2' } },
        change: { kind: 'same' },
      },
      {
        ...under('moved'),
        entry: found.servers[2]?.entry,
        change: { kind: 'different', fields: ['url', 'headers.C', 'headers.B'], existing: moved },
      },
    ]);
  });

  it('ignores differences of spelling only', () => {
    const found = declares('cursor', { a: { command: 'x' }, b: { url: 'https://example.com' } });
    const existing = {
      a: { type: 'stdio', command: 'x', args: [], env: {}, disabled: false },
      b: { type: 'http', url: 'https://example.com', headers: {} },
    };
    expect(plan([found], existing)).toEqual(['a: same, /user/cursor', 'b: same, /user/cursor']);
    const sse = { b: { type: 'sse', url: 'https://example.com' } };
    expect(plan([declares('cline', sse)], existing)).toEqual(['b: different, /user/cline']);
  });

  it('offers a server once that two hosts declare alike', () => {
    const one = { type: 'http', url: 'https://example.com' };
    const two = { url: 'https://example.com' };
    expect(plan([declares('claude-code', { a: one }), declares('cursor', { a: two })])).toEqual([
      'a: new, /user/claude-code and /user/cursor',
    ]);
  });

  it('gives different servers of one name different names, and finds them again', () => {
    const found = [
      declares('claude-code', { a: { command: 'one' } }),
      declares('cursor', { a: { command: 'two' } }),
      declares('cursor', { a: { command: 'three' } }),
    ];
    expect(plan(found)).toEqual([
      'a: new, /user/claude-code',
      'a-cursor: new, /user/cursor',
      'a-cursor-2: new, /user/cursor',
    ]);
    const imported = Object.fromEntries(
      planImport(found, new Map()).map(({ name, entry }) => [name, entry]),
    );
    expect(plan(found, imported)).toEqual([
      'a: same, /user/claude-code',
      'a-cursor: same, /user/cursor',
      'a-cursor-2: same, /user/cursor',
    ]);
    // An import from one host alone also finds a server that an earlier import renamed.
    expect(plan(found.slice(1, 2), imported)).toEqual(['a-cursor: same, /user/cursor']);
  });

  it('keeps names within their maximum length', () => {
    const name = 'n'.repeat(64);
    const found = [
      declares('zed', { [name]: { command: 'one' } }),
      declares('cline', { [name]: { command: 'two' } }),
    ];
    expect(plan(found)[1]).toBe(`${'n'.repeat(58)}-cline: new, /user/cline`);
  });

  it('lets no file of a project take a name from the user', () => {
    const found = [
      declares('cursor', { a: { command: 'theirs' } }, 'project'),
      declares('zed', { a: { command: 'mine' } }),
    ];
    expect(plan(found)).toEqual(['a: new, /user/zed', 'a-cursor: new, /project/cursor']);
  });
});
