import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letsThrough } from '../../../src/catalog/catalog.ts';
import { type Claim, claim } from '../../../src/config/merge/claim.ts';
import { fieldsFromSlots } from '../../../src/config/merge/field-slots.ts';
import { mergeClaims, unite } from '../../../src/config/merge/merge-claims.ts';
import type { Scope } from '../../../src/config/text/scope.ts';

const SCOPES: readonly Scope[] = ['dynamic', 'local', 'project', 'user', 'plugin', 'connector'];

function claimOf(scope: Scope, value: object, position = SCOPES.indexOf(scope)): Claim {
  const at = () => ({ file: `/${scope}-${position}.json`, line: 1, column: 1 });
  return claim({
    name: 's',
    value,
    scope,
    position,
    folder: '/',
    origin: { kind: 'file', ...at() },
    place: { server: 's', keyAt: at, valueAt: at },
  });
}

/** The fields that count, and the lost statements of each with their scopes and reasons. */
function outcome(...claims: readonly Claim[]): object {
  const merged = mergeClaims('s', unite(claims, []));
  const lost = [...merged.fields.flatMap((field) => field.lost), ...merged.lost];
  return {
    fields: fieldsFromSlots(merged.fields),
    lost: lost
      .map(({ path, claim: { scope }, why }) => `${path.join('.')} ${scope} ${why}`)
      .toSorted(),
  };
}

describe('merging entries of one name', () => {
  verifies('CFG-08');

  it('lets a stronger scope patch one field', () => {
    expect(
      outcome(
        claimOf('local', { disabled: true }),
        claimOf('user', { command: 'npx', args: ['-y', 'x'], timeout: 5 }),
      ),
    ).toEqual({
      fields: { command: 'npx', args: ['-y', 'x'], timeout: 5, disabled: true },
      lost: [],
    });
  });

  it('merges env, headers, reconnect and oauth key by key', () => {
    expect(
      outcome(
        claimOf('dynamic', { headers: { authorization: 'two' } }),
        claimOf('local', { reconnect: { delayMs: 2 }, oauth: { clientId: 'mine' } }),
        claimOf('user', {
          url: 'https://example.com/mcp',
          headers: { Authorization: 'one', Accept: 'x' },
          reconnect: { maxAttempts: 3, delayMs: 1 },
          oauth: { clientId: 'theirs', scopes: 'a' },
        }),
      ),
    ).toEqual({
      fields: {
        url: 'https://example.com/mcp',
        headers: { authorization: 'two', Accept: 'x' },
        reconnect: { maxAttempts: 3, delayMs: 2 },
        oauth: { clientId: 'mine', scopes: 'a' },
      },
      lost: [
        'headers.Authorization user weaker',
        'oauth.clientId user weaker',
        'reconnect.delayMs user weaker',
      ],
    });
  });

  it('unites the excluded tools, and applies every list of included ones', () => {
    expect(
      outcome(
        claimOf('local', { tools: { include: ['a*'], exclude: ['ab'] } }),
        claimOf('project', { tools: { include: ['*'], exclude: ['ac', 'ab'] } }),
        claimOf('user', { command: 'x', tools: { include: ['a*'] } }),
      ),
    ).toEqual({
      fields: { command: 'x', tools: { include: [['a*'], ['*']], exclude: ['ab', 'ac'] } },
      lost: [],
    });
  });

  it('uses the smallest grant of all scopes', () => {
    expect(
      outcome(
        claimOf('local', { roots: true, sampling: { maxRequests: 5, maxTokens: 100 } }),
        claimOf('project', { roots: false, sampling: { enabled: true, maxRequests: 9 } }),
        claimOf('user', { command: 'x', sampling: { enabled: true, maxTokens: 50 } }),
      ),
    ).toEqual({
      fields: {
        command: 'x',
        roots: false,
        sampling: { enabled: true, maxRequests: 5, maxTokens: 50 },
      },
      lost: [],
    });
  });

  it('uses the strictest permission of all scopes', () => {
    const permissions = (value: object) => ({ permissions: value });
    expect(
      outcome(
        claimOf('local', permissions({ writePermission: 'allow', deniedTools: ['a'] })),
        claimOf('project', permissions({ writePermission: 'deny', allowedTools: ['b'] })),
        claimOf('user', {
          command: 'x',
          ...permissions({ readPermission: 'ask', deniedTools: ['c'], allowedTools: ['d'] }),
        }),
      ),
    ).toEqual({
      fields: {
        command: 'x',
        permissions: {
          writePermission: 'deny',
          deniedTools: ['a', 'c'],
          allowedTools: [['b'], ['d']],
          readPermission: 'ask',
        },
      },
      lost: [],
    });
  });
});

describe('an entry that defines a server', () => {
  verifies('CFG-08');

  it('in a repository receives nothing that the user wrote for a server of the same name', () => {
    expect(
      outcome(
        claimOf('project', { command: './theirs', timeout: 9 }),
        claimOf('user', { command: 'npx', args: ['mine'], env: { TOKEN: 't' }, required: true }),
      ),
    ).toEqual({
      fields: { command: './theirs', timeout: 9, required: true },
      lost: ['args user replaced', 'command user replaced', 'env.TOKEN user replaced'],
    });
  });

  it('of the user receives nothing that a repository wrote for its own definition', () => {
    expect(
      outcome(
        claimOf('local', { command: 'mine' }),
        claimOf('project', { command: 'theirs', env: { NODE_OPTIONS: '--require ./x' } }),
      ),
    ).toMatchObject({ fields: { command: 'mine' } });
  });

  it('of the user is completed with what the same user wrote elsewhere', () => {
    expect(
      outcome(
        claimOf('local', { url: 'https://staging.example.com/mcp' }),
        claimOf('user', { url: 'https://example.com/mcp', headers: { A: 'b' }, type: 'sse' }),
      ),
    ).toEqual({
      fields: { url: 'https://staging.example.com/mcp', headers: { A: 'b' } },
      lost: ['type user replaced', 'url user replaced'],
    });
  });

  it('does not run its command with the arguments of the replaced one', () => {
    expect(
      outcome(
        claimOf('local', { command: 'b' }),
        claimOf('user', { command: 'a', args: ['-y'], cwd: '/srv' }),
      ),
    ).toEqual({
      fields: { command: 'b', cwd: '/srv' },
      lost: ['args user replaced', 'command user replaced'],
    });
  });

  it('by url takes nothing from one by command', () => {
    expect(
      outcome(
        claimOf('local', { url: 'https://example.com/mcp' }),
        claimOf('user', { command: 'a', env: { A: 'b' }, timeout: 1 }),
      ),
    ).toMatchObject({ fields: { url: 'https://example.com/mcp', timeout: 1 } });
  });

  it('overrides a broken weaker entry, and not a broken stronger one', () => {
    const broken = (scope: Scope) => claimOf(scope, { timeout: 'soon' });
    const defined = claimOf('project', { command: 'x' });
    expect(mergeClaims('s', [defined, broken('user')]).broken).toBeUndefined();
    expect(mergeClaims('s', [broken('local'), defined]).broken?.scope).toBe('local');
  });
});

const anyEntry = fc.record(
  {
    command: fc.constantFrom('a', 'b'),
    args: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    env: fc.dictionary(fc.constantFrom('A', 'B', '__proto__'), fc.constantFrom('1', '2')),
    url: fc.constantFrom('https://a.example/', 'https://b.example/'),
    headers: fc.dictionary(fc.constantFrom('A', 'a', 'B'), fc.constantFrom('1', '2')),
    disabled: fc.boolean(),
    timeout: fc.integer({ min: 1, max: 3 }),
    tools: fc.record(
      {
        include: fc.array(fc.constantFrom('a*', '*b', 'ab', '*'), { maxLength: 2 }),
        exclude: fc.array(fc.constantFrom('a*', '*b', 'ab'), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    permissions: fc.record(
      {
        readPermission: fc.constantFrom('allow', 'ask', 'deny'),
        allowedTools: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
        deniedTools: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const anyClaim = fc
  .tuple(fc.constantFrom(...SCOPES), fc.integer({ min: 0, max: 2 }), anyEntry)
  .map(([scope, position, value]) => claimOf(scope, value, position));

/** As in real sources: no two claims of one source. */
const anyClaims = fc.uniqueArray(anyClaim, {
  maxLength: 6,
  selector: ({ scope, position }) => `${scope}${position}`,
});

/** Three disjoint parts of one set of sources. */
const threeParts = anyClaims.chain((claims) =>
  fc
    .array(fc.integer({ min: 0, max: 2 }), { minLength: claims.length, maxLength: claims.length })
    .map((parts) => [0, 1, 2].map((part) => claims.filter((_, index) => parts[index] === part))),
);

describe('the merge of entries', () => {
  verifies('CFG-08');

  it('is associative', () => {
    fc.assert(
      fc.property(threeParts, ([a = [], b = [], c = []]) => {
        expect(unite(unite(a, b), c)).toEqual(unite(a, unite(b, c)));
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyClaims, (claims) => {
        const once = unite(claims, []);
        expect(unite(once, once)).toEqual(once);
        expect(outcome(...once, ...once)).toEqual(outcome(...once));
      }),
    );
  });

  it('does not depend on the order in which sources are read', () => {
    const shuffled = anyClaims.chain((claims) =>
      fc.tuple(fc.constant(claims), fc.shuffledSubarray(claims, { minLength: claims.length })),
    );
    fc.assert(
      fc.property(shuffled, ([claims, again]) => {
        expect(outcome(...again)).toEqual(outcome(...claims));
      }),
    );
  });

  it('never offers a tool that one of the sources excludes', () => {
    fc.assert(
      fc.property(
        anyClaims,
        anyClaim,
        fc.constantFrom('a', 'b', 'ab', 'abc'),
        (claims, more, tool) => {
          const passes = (given: readonly Claim[]): boolean => {
            const { fields } = mergeClaims('s', unite(given, []));
            const { tools = {} } = fieldsFromSlots(fields) as { tools?: object };
            return letsThrough(tools, tool);
          };
          const others = claims.filter(
            ({ scope, position }) => scope !== more.scope || position !== more.position,
          );
          // An additional source can only remove tools.
          if (passes([...others, more])) expect(passes(others)).toBe(true);
        },
      ),
    );
  });

  it('never weakens a permission', () => {
    const strength = { allow: 0, ask: 1, deny: 2 };
    type Read = {
      permissions?: { readPermission?: keyof typeof strength; deniedTools?: string[] };
    };
    fc.assert(
      fc.property(anyClaims, (claims) => {
        const all = (fieldsFromSlots(mergeClaims('s', unite(claims, [])).fields) as Read)
          .permissions;
        for (const { fields } of claims) {
          const own = (fields as Read | undefined)?.permissions;
          if (own?.readPermission !== undefined) {
            expect(strength[all?.readPermission ?? 'allow']).toBeGreaterThanOrEqual(
              strength[own.readPermission],
            );
          }
          expect(all?.deniedTools ?? []).toEqual(expect.arrayContaining(own?.deniedTools ?? []));
        }
      }),
    );
  });

  it('states every field of every source exactly once, as counting or as lost', () => {
    fc.assert(
      fc.property(anyClaims, (claims) => {
        const merged = mergeClaims('s', unite(claims, []));
        const said = [
          ...merged.fields.flatMap(({ from, lost }) => [...from, ...lost]),
          ...merged.lost,
        ].map(({ claim: { scope, position }, path }) => `${scope}${position}.${path.join('.')}`);
        expect(new Set(said).size).toBe(said.length);
        for (const { scope, position, fields = {} } of claims) {
          for (const key of Object.keys(fields).filter((name) => name !== 'env')) {
            const isEmpty = JSON.stringify(fields[key as keyof typeof fields]) === '{}';
            const prefix = `${scope}${position}.${key}`;
            expect(isEmpty || said.some((word) => word.startsWith(prefix))).toBe(true);
          }
        }
      }),
    );
  });
});
