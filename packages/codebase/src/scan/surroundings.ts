// The files outside the watched tree that decide which files belong to it: ignore files of the folders above the root, and
// git's index, which tells the tracked hidden files. No watcher reports these, so they are checked periodically.

import { basename, dirname } from 'node:path';
import { entryFacts } from '../platform/index.ts';
import { ignoreFilesAbove } from './ignore-rules.ts';
import { gitIndexOf, trackedHidden } from './tracked-hidden.ts';

export class Surroundings {
  readonly #root: string;
  readonly #files: readonly string[];
  #facts: string | undefined;
  #index: string | undefined;
  #hidden: string | undefined;

  constructor(root: string) {
    this.#root = root;
    this.#files = ignoreFilesAbove(root);
  }

  /** Whether they have changed since the last call; false for the first call. */
  async haveChanged(): Promise<boolean> {
    const facts = (await Promise.all(this.#files.map(factsOf))).join();
    const found = await gitIndexOf(this.#root);
    const index = found === undefined ? '' : `${found.file} ${await factsOf(found.file)}`;
    const before = { facts: this.#facts, hidden: this.#hidden };
    this.#facts = facts;
    if (index !== this.#index) {
      this.#index = index;
      this.#hidden = [...(await trackedHidden(this.#root))].toSorted().join('\n');
    }
    if (before.facts === undefined) return false;
    return before.facts !== this.#facts || before.hidden !== this.#hidden;
  }
}

async function factsOf(file: string): Promise<string> {
  const facts = await entryFacts(dirname(file), basename(file));
  return facts === undefined ? '' : `${facts.ino}:${facts.size}:${facts.mtimeMs}`;
}
