import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Notice } from '../../src/chat/chat.ts';
import { makeMessage } from '../../src/chat/make-message.ts';
import { AttachedResources } from '../../src/chat/attached-resources.ts';

const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64');

async function made(files: Readonly<Record<string, string | Uint8Array>>, text: string) {
  await using folder = await tempFolder();
  for (const [name, content] of Object.entries(files)) await folder.write(name, content);
  return await messageIn(folder.path, text);
}

async function messageIn(folder: string, text: string) {
  await using host = await createHost({ files: 'none' });
  using resources = new AttachedResources(host, { from: hostEnvironment(), onChange: () => {} });
  const notices: Notice[] = [];
  const { parts } = await makeMessage(
    { text, images: [] },
    {
      folder,
      resources,
      notice: (notice) => notices.push(notice),
      signal: new AbortController().signal,
    },
  );
  return { added: parts.slice(1), notices: notices.map((notice) => notice.text) };
}

describe('a message that names a file', () => {
  it('contains its text, or an image as an image', async () => {
    const files = { 'a.txt': 'hello', 'shot.gif': GIF };
    expect(await made(files, 'compare @a.txt with @shot.gif')).toEqual({
      added: [
        { kind: 'attachment', label: 'a.txt', text: 'hello' },
        { kind: 'image', mediaType: 'image/gif', data: GIF.toString('base64') },
      ],
      notices: [],
    });
  });

  it('leaves out a file that is too large, or neither text nor image, and says so', async () => {
    const files = { 'ten.txt': 'x'.repeat(600 * 1024), 'program.bin': Buffer.from([0, 1, 2, 0]) };
    expect(await made(files, '@ten.txt @program.bin')).toEqual({
      added: [],
      notices: [
        'ten.txt is larger than 512 KB and was not put into the message',
        'program.bin is neither text nor a picture and was not put into the message',
      ],
    });
  });

  it('leaves out a file outside the folder that a link leads to, and says where it is', async () => {
    await using folder = await tempFolder();
    await folder.write('secret.txt', 'mine');
    await folder.write('repo/a.txt', 'a');
    await symlink('../secret.txt', join(folder.path, 'repo/README.md'));
    await symlink('..', join(folder.path, 'repo/docs'));
    await symlink('a.txt', join(folder.path, 'repo/b.txt'));
    const text = '@README.md @docs/secret.txt @b.txt @../secret.txt @docs/nothing';
    const added = await messageIn(join(folder.path, 'repo'), text);
    expect(added).toEqual({
      added: [
        { kind: 'attachment', label: 'b.txt', text: 'a' },
        { kind: 'attachment', label: '../secret.txt', text: 'mine' },
      ],
      notices: ['README.md', 'docs/secret.txt'].map(
        (path) =>
          `${path} is a link that leads out of this folder and was not put into the message`,
      ),
    });
  });

  it('leaves out folders and missing files, and says so', async () => {
    const files = { 'src/a.txt': 'hello' };
    expect(await made(files, 'see @src/ and @missing.txt, and ask @somebody')).toEqual({
      added: [],
      notices: [
        'src/ is a folder, and only its name is in the message',
        'there is no file missing.txt, so it is only a word in the message',
      ],
    });
  });
});
