// Links between the pages of this repository, and the list of decisions.

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, foldersIn, repositoryRoot } from '../source/files.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'CONTEXT.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md'],
  ...foldersIn('packages').map((name) => `packages/${name}/README.md`),
  ...filesUnder('docs', '.md'),
].filter((path) => existsSync(join(repositoryRoot, path)));

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const prose = read(page).replaceAll(/^```[^]*?^```$/gm, '');
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#+ (.+)$/gm)) {
    const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '');
    anchors.add(text.replaceAll(' ', '-'));
  }
  return anchors;
}

function deadLinksOf(page: string): readonly string[] {
  return [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      if (!existsSync(join(repositoryRoot, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    });
}

describe('the pages', () => {
  it.each(PAGES)('%s links only to files and headings that exist', (page) => {
    expect(deadLinksOf(page)).toEqual([]);
  });

  it('docs/decisions/README.md lists every decision once', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[^)]+)\)/g)];
    const files = filesUnder('docs/decisions', '.md').map((path) => posix.basename(path));
    const wanted = files.filter((name) => name !== 'README.md');
    expect(listed.map(([, file = '']) => file).toSorted()).toEqual(wanted);
  });
});
