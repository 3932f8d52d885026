import { join, resolve } from 'node:path';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readEnvFile } from '../../../src/config/resolve/env-file.ts';

const finding = { severity: 'error', code: 'bad-env-file', path: ['envFile'], on: 'value' };

describe('a variable file', () => {
  verifies('CFG-15');

  it('is found relative to the folder of its entry, and its values are used literally', async () => {
    await using folder = await tempFolder();
    const text = [
      '# a comment',
      'PLAIN=1',
      'export QUOTED="two words" # said',
      "LITERAL='${HOME} $X ${secret:A}'",
      'OPEN=${HOME}',
      '  ',
      'LINES="a',
      '=b"',
      'EMPTY=',
      ' \t',
    ].join('\r\n');
    await folder.write('sub/.env', text.replace('"a\r\n=b"', '"a\n=b"'));
    const variables = {
      PLAIN: '1',
      QUOTED: 'two words',
      LITERAL: '${HOME} $X ${secret:A}',
      OPEN: '${HOME}',
      LINES: 'a\n=b',
      EMPTY: '',
    };
    for (const path of ['sub/.env', './sub/../sub/.env', join(folder.path, 'sub/.env')]) {
      expect(await readEnvFile({ path: resolve(folder.path, path) })).toEqual({
        ok: true,
        value: variables,
      });
    }
  });

  it.each([
    ['missing', 'does not exist', undefined],
    ['.', 'is a folder', undefined],
    ['binary', 'is not UTF-8 text', 'A=\0'],
    ['huge', 'is larger than 256 KiB', `A=${'x'.repeat(256 * 1024)}`],
    ['broken', 'holds a line that is not NAME=value', 'A=s3cret\ns3cret\nB=2'],
    ['broken-last', 'holds a line that is not NAME=value', 'A=1\ns3cret\n'],
    ['nameless', 'holds a line that is not NAME=value', 'A=s3cret\n=s3cret\nB=2'],
  ])('that is %s yields a finding, without its content', async (path, reason, text) => {
    await using folder = await tempFolder();
    if (text !== undefined) await folder.write(path, text);
    const read = await readEnvFile({ path: join(folder.path, path) });
    expect(read).toMatchObject({
      ok: false,
      error: {
        ...finding,
        message: `"envFile" names ${join(folder.path, path)}, which ${reason}.`,
      },
    });
    expect(JSON.stringify(read)).not.toContain('s3cret');
  });
});
