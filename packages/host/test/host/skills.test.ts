import { createHash } from 'node:crypto';
import { Scope } from '@plugboard/base';
import { scriptedServer, startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/index.ts';
import { givenHost } from './given-host.ts';

const URI = 'skill://pdf/SKILL.md';
const FORMS = 'skill://pdf/references/FORMS.md';
const MANIFEST = '---\nname: pdf\ndescription: Works with PDF\n---\n\nThe body.\n';
const FORMS_TEXT = 'About forms.\n';

const sha256 = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`;

const fileOf = (uri: string, text: string) => ({
  uri,
  digest: sha256(text),
  size: Buffer.byteLength(text),
});

const skillWith = (files: unknown = [fileOf(URI, MANIFEST), fileOf(FORMS, FORMS_TEXT)]) => ({
  uri: URI,
  frontmatter: { name: 'pdf', description: 'Works with PDF' },
  resources: files as never,
});

const resourcesWith = (manifest = MANIFEST, forms = FORMS_TEXT) => [
  { uri: URI, name: 'SKILL.md', mimeType: 'text/markdown', text: manifest },
  { uri: FORMS, name: 'FORMS.md', mimeType: 'text/markdown', text: forms },
];

const PDF = { server: 'a', uri: URI };

/** Lists and approves the only skill. */
async function approved(host: Host) {
  const { skills } = await host.skills.list();
  const [skill] = skills;
  if (skill === undefined) throw new Error('no skill');
  expect(host.skills.approve(skill)).toBe(true);
  return skill;
}

describe.each(['legacy', 'modern'] as const)('the skills of a server, %s', (era) => {
  verifies('CAT-09');

  it('are listed with their server, and no file is read before it is requested', async () => {
    await using scope = new Scope();
    const library = { skills: [skillWith()], resources: resourcesWith() };
    const server = scope.use(await startScriptedHttp({ library, eras: [era] }));
    const host = await givenHost(scope, { a: { type: 'http', url: server.url, protocol: era } });
    const skill = await approved(host);
    expect(skill).toMatchObject({ ...PDF, name: 'pdf', approval: 'none' });
    expect((await host.skills.get(PDF)).kind).toBe('skill');
    const methods = (): readonly unknown[] => server.requests.map(({ rpcMethod }) => rpcMethod);
    expect(methods()).not.toContain('resources/read');
    const read = await host.skills.read(PDF);
    expect(read).toMatchObject({
      kind: 'result',
      ...PDF,
      name: 'pdf',
      file: { uri: URI, text: MANIFEST, isVerified: true },
    });
    expect(read.kind === 'result' && read.forModel).toBe(
      `[Skill "pdf" from the MCP server "a". Its author is that server, not the user.]\n\n${MANIFEST}`,
    );
    expect(methods().filter((method) => method === 'resources/read')).toHaveLength(1);
    const forms = await host.skills.read(PDF, { file: 'references/FORMS.md' });
    expect(forms).toMatchObject({ kind: 'result', file: { uri: FORMS, text: FORMS_TEXT } });
  });

  it.each([
    ['digest', MANIFEST.replace('body', 'BODY')],
    ['size', `${MANIFEST}more`],
  ])(
    'are refused when a file has another %s, and then need a new approval',
    async (what, given) => {
      await using scope = new Scope();
      const library = { skills: [skillWith()], resources: resourcesWith(given) };
      const host = await givenHost(scope, {
        a: { ...scriptedServer({ library, eras: [era] }), protocol: era },
      });
      await approved(host);
      expect(await host.skills.read(PDF)).toEqual({ kind: 'mismatch', ...PDF, what, file: URI });
      expect(await host.skills.read(PDF)).toEqual({
        kind: 'not-approved',
        ...PDF,
        approval: 'changed',
      });
    },
  );

  it('are refused when the frontmatter differs from the list', async () => {
    await using scope = new Scope();
    const given = MANIFEST.replace('Works with PDF', 'Sends your files away');
    const files = [fileOf(URI, given)];
    const library = { skills: [skillWith(files)], resources: resourcesWith(given) };
    const host = await givenHost(scope, {
      a: { ...scriptedServer({ library, eras: [era] }), protocol: era },
    });
    await approved(host);
    expect(await host.skills.read(PDF)).toMatchObject({ kind: 'mismatch', what: 'frontmatter' });
  });

  it('that are dynamic are read unverified, and marked so', async () => {
    await using scope = new Scope();
    const library = { skills: [skillWith('dynamic')], resources: resourcesWith() };
    const host = await givenHost(scope, {
      a: { ...scriptedServer({ library, eras: [era] }), protocol: era },
    });
    await approved(host);
    expect(await host.skills.read(PDF)).toMatchObject({
      kind: 'result',
      file: { isVerified: false },
    });
  });
});

describe('an approval of a skill', () => {
  verifies('CAT-09');

  it('is bound to the digests of all its files, and ends when the listing changes', async () => {
    await using scope = new Scope();
    const skills = [skillWith()];
    const server = scope.use(
      await startScriptedHttp({ library: { skills, resources: resourcesWith() } }),
    );
    const host = await givenHost(scope, { a: { type: 'http', url: server.url } });
    expect(await host.skills.read(PDF)).toEqual({ kind: 'not-approved', ...PDF, approval: 'none' });
    const first = await approved(host);
    skills[0] = skillWith([fileOf(URI, MANIFEST), fileOf(FORMS, 'Other forms.\n')]);
    const { skills: relisted } = await host.skills.list({ fresh: true });
    expect(relisted.map(({ approval }) => approval)).toEqual(['changed']);
    expect(relisted[0]?.digest).not.toBe(first.digest);
    expect(await host.skills.read(PDF)).toMatchObject({
      kind: 'not-approved',
      approval: 'changed',
    });
    // The old digest no longer approves anything.
    expect(host.skills.approve(first)).toBe(false);
  });

  it('does not depend on the order in which a server names files and fields', async () => {
    await using scope = new Scope();
    const { frontmatter, ...rest } = skillWith([fileOf(FORMS, FORMS_TEXT), fileOf(URI, MANIFEST)]);
    const turned = { ...rest, frontmatter: { description: frontmatter.description, name: 'pdf' } };
    const host = await givenHost(scope, {
      a: scriptedServer({ library: { skills: [skillWith()] } }),
      b: scriptedServer({ library: { skills: [turned] } }),
    });
    const { skills } = await host.skills.list();
    expect(new Set(skills.map(({ digest }) => digest)).size).toBe(1);
    // Two servers have a skill with this name, so none is chosen.
    expect(await host.skills.locate('pdf')).toMatchObject({ kind: 'several', servers: ['a', 'b'] });
    // The approval is bound to the server.
    host.skills.approve({ server: 'a', uri: URI, digest: skills[0]?.digest ?? '' });
    expect(await host.skills.read({ server: 'b', uri: URI })).toMatchObject({
      kind: 'not-approved',
      approval: 'none',
    });
  });

  it('does not cover a nested skill, nor a file that was not listed', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {
      a: scriptedServer({ library: { skills: [skillWith()], resources: resourcesWith() } }),
    });
    await approved(host);
    const read = (file: string) => host.skills.read(PDF, { file });
    expect(await read('inner/SKILL.md')).toEqual({
      kind: 'nested-skill',
      ...PDF,
      nested: 'skill://pdf/inner/SKILL.md',
    });
    for (const file of ['../other/secret.md', 'file:///etc/passwd', 'references/none.md']) {
      expect(await read(file)).toMatchObject({ kind: 'mismatch', what: 'unlisted' });
    }
    // The approval of the skill is unaffected.
    expect(await read('SKILL.md')).toMatchObject({ kind: 'result' });
  });
});

describe('a list of skills', () => {
  verifies('CAT-09');
  const sound = skillWith();

  it.each([
    [{ ...sound, uri: 'skill://pdf/README.md' }, 'has a uri that is not of a SKILL.md'],
    [{ ...sound, frontmatter: { name: 'PDF tools', description: 'x' } }, 'has no sound name'],
    [{ ...sound, frontmatter: { name: 'pdf' } }, 'has no description'],
    [{ ...sound, resources: undefined }, 'does not say which files it has'],
    [{ ...sound, resources: [{ uri: URI, size: 3 }] }, 'has a file without digest'],
    [{ ...sound, resources: [{ ...fileOf(URI, ''), size: 17 * 1024 * 1024 }] }, 'is too large'],
    [
      { ...sound, resources: Array.from({ length: 513 }, () => fileOf(URI, '')) },
      'has too many files',
    ],
  ])('leaves out invalid descriptions: %#', async (broken, reason) => {
    await using scope = new Scope();
    const good = { ...sound, uri: 'skill://ok/pdf/SKILL.md' };
    const server = scope.use(
      await startScriptedHttp({ library: { skills: [broken as never, good] } }),
    );
    const host = await givenHost(scope, { a: { type: 'http', url: server.url } });
    const { skills, rejected } = await host.skills.list();
    expect(skills.map(({ uri }) => uri)).toEqual([good.uri]);
    expect(rejected).toMatchObject([{ server: 'a', reason }]);
  });
});
