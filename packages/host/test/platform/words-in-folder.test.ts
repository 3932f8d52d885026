import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { wordsOnlyIn } from '../../src/platform/index.ts';

describe('the words of a command line', () => {
  verifies('POL-11');

  it('name something in a folder only if they are existing paths there', async () => {
    await using folder = await tempFolder();
    await folder.write('here/src/a.mjs', '');
    await folder.write('here/server.mjs', '');
    await folder.write('here/both.mjs', '');
    await folder.write('there/both.mjs', '');
    const named = ['.', 'server.mjs', './src', 'src/a.mjs', '--root=./src'];
    const others = [
      '-y',
      'src',
      '@acme/x',
      'both.mjs',
      'gone.mjs',
      '/bin',
      'https://e.com/src',
      '${A}/src',
    ];
    const folders = { folder: `${folder.path}/here`, startsIn: `${folder.path}/there` };
    expect(await wordsOnlyIn([...named, ...others], folders)).toEqual(named);
    expect(await wordsOnlyIn(named, { ...folders, startsIn: folders.folder })).toEqual([]);
  });
});
