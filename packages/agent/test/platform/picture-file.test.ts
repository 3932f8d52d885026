import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readPicture } from '../../src/platform/index.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('an image for a message', () => {
  it('is recognized by its first bytes, whatever its name', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('shot.txt', PNG);
    expect(await readPicture(path)).toEqual({
      ok: true,
      value: { mediaType: 'image/png', data: PNG.toString('base64') },
    });
  });

  it.each([
    ['a text', 'hello', { kind: 'no-picture' }],
    [
      'a picture that is too large',
      Buffer.concat([PNG, Buffer.alloc(4 << 20)]),
      { kind: 'too-large', limit: 3.5 * (1 << 20) },
    ],
  ] as const)('must not be %s', async (_, content, error) => {
    await using folder = await tempFolder();
    const path = await folder.write('x.png', content);
    expect(await readPicture(path)).toEqual({ ok: false, error });
  });

  it('must not be a folder or a missing file', async () => {
    await using folder = await tempFolder();
    expect(await readPicture(folder.path)).toMatchObject({ ok: false });
    expect(await readPicture(`${folder.path}/none.png`)).toEqual({
      ok: false,
      error: { kind: 'unreadable', code: 'ENOENT' },
    });
  });
});
