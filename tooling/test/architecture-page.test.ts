// The page about the architecture, held against the sources: what it names is there.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, repositoryRoot } from '../source/files.ts';

const page = readFileSync(join(repositoryRoot, 'docs/architecture.md'), 'utf8');

interface Stop {
  readonly file: string;
  readonly names: readonly string[];
}

/** The numbered files of one section: ``1. `file` · `name`, `name` ``. */
function walkUnder(title: string): readonly Stop[] {
  const [, section = ''] = page.split(`\n## ${title}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\d+\. `([^`]+)`(?: · (`\w+`(?:, `\w+`)*))?/gmu)].map(
    ([, file = '', names = '']) => ({
      file: join('packages', file),
      names: [...names.matchAll(/\w+/gu)].map(([name]) => name),
    }),
  );
}

/** What a walk says of a file that is not so. */
function untrue({ file, names }: Stop): readonly string[] {
  const path = join(repositoryRoot, file);
  if (!existsSync(path)) return [`${file} is not there`];
  const text = readFileSync(path, 'utf8');
  const makes = (name: string): boolean =>
    new RegExp(`\\b(?:class|interface|function\\*?|const) ${name}\\b`, 'u').test(text);
  return names.filter((name) => !makes(name)).map((name) => `${file} makes no ${name}`);
}

describe('the architecture page', () => {
  it.each([
    ['One call, from key to result', 40],
    ['The same call, by a command', 15],
  ])('names existing files and functions: %s', (title, least) => {
    const stops = walkUnder(title);
    expect(stops.length).toBeGreaterThanOrEqual(least);
    expect(stops.flatMap(untrue)).toEqual([]);
  });

  it('names no other missing source file', () => {
    const files = ['.ts', '.tsx', '.js'].flatMap((ending) =>
      [...filesUnder('packages', ending), ...filesUnder('tooling', ending)].map(
        (file) => `/${file}`,
      ),
    );
    const named = [...page.matchAll(/`([\w./-]+\.(?:tsx?|js))`/gu)].map(([, name = '']) => name);
    const missing = named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)));
    expect([...new Set(missing)]).toEqual([]);
  });
});
