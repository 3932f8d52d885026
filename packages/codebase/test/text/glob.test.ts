import { processorMs } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { globFilter } from '../../src/text/glob.ts';

function accepts(globs: readonly string[], path: string): boolean {
  const filter = globFilter(globs);
  if (!filter.ok) throw new Error(filter.error);
  return filter.value(path);
}

describe('a glob', () => {
  it.each<[readonly string[], string, boolean]>([
    [['*.ts'], 'src/a.ts', true],
    [['*.ts'], 'src/a.tsx', false],
    [['a.?s'], 'deep/a.ts', true],
    [['src/*.ts'], 'src/a.ts', true],
    [['src/*.ts'], 'src/deep/a.ts', false],
    [['src/**/*.ts'], 'src/a.ts', true],
    [['src/**/*.ts'], 'src/x/y/a.ts', true],
    [['src/**'], 'src/x/y', true],
    [['src/**'], 'srcs/x', false],
    [['**/deep/**'], 'a/deep/b/c', true],
    [['**/deep/**'], 'a/deeper/b', false],
    [['/a.ts'], 'a.ts', true],
    [['/a.ts'], 'src/a.ts', false],
    [['*.{ts,tsx}'], 'a.tsx', true],
    [['{src,lib}/**/*.{js,ts}'], 'lib/x/a.js', true],
    [['[a-c].ts'], 'b.ts', true],
    [['[!a-c].ts'], 'b.ts', false],
    [['\\*.ts'], '*.ts', true],
    [['\\*.ts'], 'a.ts', false],
    [['!*.ts'], 'a.js', true],
    [['!*.ts'], 'a.ts', false],
    [['!src'], 'src/a.js', false],
    [['!src/'], 'src/a.js', false],
    [['*.ts', '!a.ts'], 'a.ts', false],
    [['!a.ts', '*.ts'], 'a.ts', true],
    [['lib'], 'lib/deep/a.ts', true],
    [['lib/'], 'lib/deep/a.ts', true],
    [['./lib'], 'lib/a.ts', true],
    [['./lib/**'], 'lib/deep/a.ts', true],
    [['./lib/**'], 'src/lib/a.ts', false],
    [['./lib/*.ts'], 'lib/a.ts', true],
    [['lib'], 'library/a.ts', false],
    [['lib', '!*.md'], 'lib/a.md', false],
    [['!./lib'], 'lib/a.ts', false],
    [['.'], 'lib/a.ts', true],
    [['./'], 'lib/a.ts', true],
    [[], 'a', true],
  ])('%j on %s: %s', (globs, path, expected) => {
    expect(accepts(globs, path)).toBe(expected);
  });

  it.each(['[a', '{a', 'a}', '', '!', '/', 'x'.repeat(501), '{a,b}'.repeat(9)])(
    '%j is refused',
    (glob) => {
      expect(globFilter([glob]).ok).toBe(false);
    },
  );

  it('is matched in linear time, whatever its pattern', async () => {
    const took = await processorMs(() => {
      expect(accepts([`${'*a'.repeat(100)}b`], 'a'.repeat(4000))).toBe(false);
      expect(accepts([`${'**/a*'.repeat(50)}/b`], 'a/'.repeat(2000))).toBe(false);
    });
    expect(took).toBeLessThan(2000);
  });
});
