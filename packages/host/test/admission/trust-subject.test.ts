import { verifies } from '@plugboard/testkit';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldHashes, trustHash, type TrustSubject } from '../../src/admission/trust-subject.ts';

const texts = fc.dictionary(fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 }), {
  maxKeys: 3,
});
const text = fc.string({ unit: codePoint, maxLength: 4 });
const launch = fc.record(
  {
    type: text,
    command: text,
    args: fc.array(text, { maxLength: 3 }),
    env: texts,
    envFile: text,
    envFileValues: texts,
    cwd: text,
    url: text,
    headers: texts,
    headersHelper: fc.oneof(text, fc.array(text, { maxLength: 2 })),
    oauth: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
  },
  { requiredKeys: ['env', 'headers'] },
);
const subject: fc.Arbitrary<TrustSubject> = fc.record({ name: text, root: text, launch });

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const copy: object = Object.create(null);
  for (const [key, item] of Object.entries(value).toReversed()) {
    Object.defineProperty(copy, key, { value: reversed(item), enumerable: true });
  }
  return copy;
}

const GITHUB: TrustSubject = {
  name: 'github',
  root: '/home/me/app',
  launch: {
    command: 'npx',
    args: ['-y', 'server@1.0.0'],
    env: { TOKEN: '${GITHUB_TOKEN}' },
    cwd: '.',
    headers: {},
  },
};

describe('the hash of a trust subject', () => {
  verifies('CFG-11');

  it('stays the same from version to version', () => {
    expect(trustHash(GITHUB)).toBe(
      'cf0ca20969c7afb15e52d4d46a7d266f2103ef4c22934796c896b340af127511',
    );
  });

  const { launch: base } = GITHUB;
  it.each<[string, Partial<TrustSubject>]>([
    ['the name', { name: 'github2' }],
    ['the folder', { root: '/home/me/app2' }],
    ['the type', { launch: { ...base, type: 'stdio' } }],
    ['the command', { launch: { ...base, command: 'npm' } }],
    ['an argument', { launch: { ...base, args: ['-y', 'server@1.0.1'] } }],
    ['where an argument ends', { launch: { ...base, args: ['-y server@1.0.0'] } }],
    ['the order of arguments', { launch: { ...base, args: ['server@1.0.0', '-y'] } }],
    ['a variable', { launch: { ...base, env: { TOKEN: '${OTHER}' } } }],
    ['one variable more', { launch: { ...base, env: { ...base.env, NODE_OPTIONS: '' } } }],
    ['the file of variables', { launch: { ...base, envFile: '.env' } }],
    ['what that file holds', { launch: { ...base, envFileValues: { A: 'b' } } }],
    ['the folder it runs in', { launch: { ...base, cwd: './x' } }],
    ['the url', { launch: { ...base, url: 'https://a.com' } }],
    ['a header', { launch: { ...base, headers: { A: 'b' } } }],
    ['the command for headers', { launch: { ...base, headersHelper: 'x' } }],
    ['the sign-in', { launch: { ...base, oauth: { clientId: 'x' } } }],
    ['which field holds a value', { launch: { ...base, headers: base.env, env: {} } }],
  ])('changes with %s', (_what, change) => {
    expect(trustHash({ ...GITHUB, ...change })).not.toBe(trustHash(GITHUB));
  });

  it('is the same for the same subject in any order of keys, and for no other', () => {
    fc.assert(
      fc.property(subject, subject, (one, other) => {
        expect(trustHash(reversed(one) as TrustSubject)).toBe(trustHash(one));
        const isSame = fc.stringify(sorted(one)) === fc.stringify(sorted(other));
        expect(trustHash(one) === trustHash(other)).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });

  it('changes with any one field of any subject', () => {
    fc.assert(
      fc.property(subject, launch, (one, other) => {
        for (const [key, value] of Object.entries(other)) {
          const changed = { ...one, launch: { ...one.launch, [key]: value } };
          const isSame = fc.stringify(sorted(changed)) === fc.stringify(sorted(one));
          expect(trustHash(changed) === trustHash(one)).toBe(isSame);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** The same value with sorted keys, independent of the code under test. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value;
  return new Map(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

describe('the field hashes of a trust subject', () => {
  it('contain one hash for each field, by name, and no value', () => {
    const hashes = fieldHashes(GITHUB.launch);
    expect([...hashes.keys()]).toEqual(['args', 'command', 'cwd', 'env.TOKEN']);
    for (const hash of hashes.values()) expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(
      new Set(fieldHashes({ env: { A: 'x', B: 'x' }, headers: { A: 'x' } }).values()).size,
    ).toBe(3);
  });
});
