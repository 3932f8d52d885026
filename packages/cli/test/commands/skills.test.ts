import { createHash } from 'node:crypto';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, sandbox } from '../sandbox.ts';

const URI = 'skill://pdf/SKILL.md';
const TEXT = '---\nname: pdf\ndescription: Works with PDF\n---\n\nThe body.\n';
const digest = `sha256:${createHash('sha256').update(TEXT).digest('hex')}`;

const serverWith = (given: string) =>
  scriptedServer({
    library: {
      skills: [
        {
          uri: URI,
          frontmatter: { name: 'pdf', description: 'Works with PDF' },
          resources: [{ uri: URI, digest, size: TEXT.length }],
        },
      ],
      resources: [{ uri: URI, name: 'SKILL.md', mimeType: 'text/markdown', text: given }],
    },
  });

describe.concurrent('plugboard skills', () => {
  verifies('CAT-09');

  it('lists skills, and shows one that matches its listing', async ({ expect }) => {
    await using box = await sandbox({ docs: serverWith(TEXT) });
    const [list, one, json, listed] = await Promise.all([
      box.run(['skills']),
      box.run(['skills', 'pdf']),
      box.run(['skills', 'pdf', '--json']),
      box.run(['skills', '--json']),
    ]);
    expect(list).toEqual({
      code: 0,
      stdout: 'SERVER  SKILL  FILES  DESCRIPTION\ndocs    pdf    1      Works with PDF\n',
      stderr: '',
    });
    expect(one).toEqual({ code: 0, stdout: TEXT, stderr: '' });
    expect(documentOf(json)).toEqual({
      kind: 'result',
      server: 'docs',
      uri: URI,
      name: 'pdf',
      file: { uri: URI, mimeType: 'text/markdown', isVerified: true, text: TEXT },
    });
    expect(documentOf(listed)).toMatchObject({
      skills: [{ server: 'docs', uri: URI, files: [{ uri: URI, digest }], approval: 'none' }],
    });
  });

  it('shows nothing of a skill that was tampered with', async ({ expect }) => {
    await using box = await sandbox({ docs: serverWith(TEXT.replace('body', 'BODY')) });
    expect(await box.run(['skills', 'pdf'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `error: "${URI}" of server "docs" is not what the server listed: its digest is another\n` +
        '  fix: do not use it, and tell the operator of the server\n',
    });
  });

  it('reports an unknown skill', async ({ expect }) => {
    await using box = await sandbox({ docs: serverWith(TEXT) });
    const [typo, file] = await Promise.all([
      box.run(['skills', 'pdg']),
      box.run(['skills', 'pdf', '--file', '../x.md']),
    ]);
    expect(typo.stderr).toBe('error: no server has the skill "pdg"\n  fix: did you mean "pdf"?\n');
    expect([file.code, file.stdout]).toEqual([1, '']);
    expect(file.stderr).toContain('is not a file of the skill');
  });
});
