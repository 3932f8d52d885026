import { tempFolder } from '@plugboard/testkit';
import { expect, it } from 'vitest';
import { entryKindNow, fileFactsNow, PlainFiles } from '../../src/platform/index.ts';

it('a path below a file counts as gone, and reading its facts does not fail', async () => {
  await using place = await tempFolder();
  await place.write('a', 'was a folder');
  expect(fileFactsNow(place.path, 'a/b.ts')).toBeUndefined();
  expect(entryKindNow(place.path, 'a/b.ts')).toBeUndefined();
  expect(new PlainFiles(place.path).has('a/b.ts')).toBe(false);
  expect(entryKindNow(place.path, 'a')).toBe('file');
});
