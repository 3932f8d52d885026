// Presents several roots to tools as one: a request goes to the root that its path begins with, or to all of them, and the
// paths of results begin with the name of their root.

import { join } from 'node:path';
import { never, ok } from '@plugboard/base';
import { JointTree, memberAt } from '../scan/index.ts';
import type { StructureMatch } from '../structure/index.ts';
import { pageOf } from '../text/index.ts';
import type { OpenRoot } from './open-root.ts';
import type { CodebaseParts, MissingRoot, TreeChanges } from './parts/codebase-parts.ts';
import { JointIndex } from './joint-index.ts';

/** The parts that depend on which roots are served. */
export type RootParts = Omit<CodebaseParts, 'chunker' | 'ignored' | 'turns' | 'clock' | 'logger'>;

/** `roots` must not be empty; `absent` could not be opened. */
export function jointParts(roots: readonly OpenRoot[], absent: readonly MissingRoot[]): RootParts {
  const index = new JointIndex(roots);
  const texts = roots.map(({ text }) => text);
  return {
    root: new JointTree(roots),
    names: [...roots, ...absent].map(({ name }) => name),
    missing: () => missingOf(roots, absent),
    text: { page: (query, signal) => pageOf(texts, query, signal ?? never) },
    index,
    histories(path) {
      if (path === '') return roots.map(({ name, git }) => ({ name, git, path }));
      const at = memberAt(roots, path);
      return at === undefined
        ? []
        : [{ name: at.member.name, git: at.member.git, path: at.within }];
    },
    structure: structureOf(roots),
    languageServers: languageServersOf(roots),
    changes: changesOf(roots),
  };
}

const GONE = 'the folder no longer exists';

async function missingOf(
  roots: readonly OpenRoot[],
  absent: readonly MissingRoot[],
): Promise<readonly MissingRoot[]> {
  const stats = await Promise.all(roots.map(({ root }) => root.stat('.')));
  const gone = roots.filter((_, at) => stats[at]?.ok === false);
  return [...absent, ...gone.map(({ name }) => ({ name, reason: GONE }))];
}

function structureOf(roots: readonly OpenRoot[]): CodebaseParts['structure'] {
  return {
    async find({ under, limit, ...query }, signal) {
      const at = memberAt(roots, under);
      const places =
        at === undefined
          ? roots.map((member) => ({ member, within: '' }))
          : [{ member: at.member, within: at.within }];
      const all = { matches: [] as StructureMatch[], read: 0, isComplete: true };
      for (const { member, within } of places) {
        const { name, root, structure } = member;
        if (!(await root.stat('.')).ok) continue;
        const left = limit - all.matches.length;
        if (left === 0) return ok({ ...all, isComplete: false });
        const found = await structure.find({ ...query, under: within, limit: left }, signal);
        if (!found.ok) return found;
        const { matches, read, isComplete } = found.value;
        for (const match of matches) {
          const file = join(root.path, match.path);
          all.matches.push({ ...match, path: `${name}/${match.path}`, file });
        }
        all.read += read;
        all.isComplete &&= isComplete;
      }
      return ok(all);
    },
  };
}

function languageServersOf(roots: readonly OpenRoot[]): CodebaseParts['languageServers'] {
  return {
    commandFor(path) {
      const at = memberAt(roots, path);
      return at?.member.languageServers.commandFor(at.within);
    },
    async references(place, signal) {
      const at = memberAt(roots, place.path);
      if (at === undefined) return ok([]);
      const { name, languageServers } = at.member;
      const found = await languageServers.references({ ...place, path: at.within }, signal);
      if (!found.ok) return found;
      return ok(found.value.map((one) => ({ ...one, path: `${name}/${one.path}` })));
    },
  };
}

function changesOf(roots: readonly OpenRoot[]): TreeChanges {
  return {
    get isWatching() {
      return roots.every(({ changes }) => changes.isWatching);
    },
    on(listener) {
      const subscriptions = roots.map(({ changes }) => changes.on(listener));
      return { [Symbol.dispose]: () => subscriptions.forEach((one) => one[Symbol.dispose]()) };
    },
  };
}
