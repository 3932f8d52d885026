// The folders that servers receive as roots. The embedding program keeps them current; the host decides which
// servers receive them.

import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emitter } from '@plugboard/base';
import type { Root, RootsPort } from '../protocol/index.ts';

/** A path, absolute or relative to the working directory, optionally with a display name. */
export type RootFolder = string | { readonly path: string; readonly name?: string };

export interface RootsOptions {
  /** What relative paths are relative to. */
  readonly cwd: string;
  readonly onListenerError: (thrown: unknown) => void;
}

export class Roots implements RootsPort {
  readonly #cwd: string;
  readonly #changes: Emitter<void>;
  #roots: readonly Root[];

  constructor(folders: readonly RootFolder[], { cwd, onListenerError }: RootsOptions) {
    this.#cwd = cwd;
    this.#changes = new Emitter(onListenerError);
    this.#roots = this.#rootsOf(folders);
  }

  list(): readonly Root[] {
    return this.#roots;
  }

  /** Replaces all folders. Connected servers are notified if this changes anything. */
  set(folders: readonly RootFolder[]): void {
    this.#replace(this.#rootsOf(folders));
  }

  /** Adds a folder; one that is present already gets the new name. */
  add(folder: RootFolder): void {
    const [added] = this.#rootsOf([folder]);
    if (added === undefined) return;
    const isKnown = this.#roots.some(({ uri }) => uri === added.uri);
    const others = this.#roots.map((root) => (root.uri === added.uri ? added : root));
    this.#replace(isKnown ? others : [...this.#roots, added]);
  }

  remove(folder: RootFolder): void {
    const [removed] = this.#rootsOf([folder]);
    this.#replace(this.#roots.filter(({ uri }) => uri !== removed?.uri));
  }

  watch(onChange: () => void): Disposable {
    return this.#changes.on(onChange);
  }

  #replace(roots: readonly Root[]): void {
    if (isSame(roots, this.#roots)) return;
    this.#roots = roots;
    this.#changes.emit();
  }

  /** Contains each folder once. */
  #rootsOf(folders: readonly RootFolder[]): readonly Root[] {
    const roots = folders.map((folder) => {
      const { path, name } = typeof folder === 'string' ? { path: folder } : folder;
      const full = resolve(this.#cwd, path);
      return { uri: pathToFileURL(full).href, name: name ?? (basename(full) || full) };
    });
    return [...new Map(roots.map((root) => [root.uri, root])).values()];
  }
}

function isSame(a: readonly Root[], b: readonly Root[]): boolean {
  if (a.length !== b.length) return false;
  return a.every(({ uri, name }, index) => uri === b[index]?.uri && name === b[index].name);
}
