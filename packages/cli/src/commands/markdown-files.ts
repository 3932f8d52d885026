// Reads Markdown files for models: commands, skills and agents. From a file of a project, which must be approved, only the
// text is read that the user sees before the approval.

import { basename, join } from 'node:path';
import { ok, type Result } from '@plugboard/base';
import {
  type FolderNotes,
  type HostEnvironment,
  listFolder,
  type NotesProblem,
  readFolderNotes,
  readTextFile,
} from '@plugboard/host/configuration';
import { readyNotes } from './folder-notes.ts';

export interface MarkdownFile {
  /** The name of the file, or of the folder of a skill. */
  readonly name: string;
  readonly path: string;
  /** The whole file as the model would read it. */
  readonly text: string;
  /** For a file of a project, which must be approved first. */
  readonly notes?: FolderNotes;
}

/** A skill is a folder with a `SKILL.md`. Commands and agents are files. */
export type MarkdownPlace = 'commands' | 'skills' | 'agents';

/** The files of a project are below its top folder. */
export interface MarkdownSource {
  readonly environment: HostEnvironment;
  readonly root: string;
}

const NAME = /^[A-Za-z][\w.-]{0,63}$/u;
const MAX_BYTES = 64 * 1024;
const MAX_FILES = 200;

/** The files of the user come first. */
export async function markdownFiles(
  places: readonly MarkdownPlace[],
  { environment, root }: MarkdownSource,
): Promise<readonly Result<MarkdownFile, NotesProblem>[]> {
  const { paths, home } = environment;
  const own = await filesIn([paths.config, join(home, '.claude')], places);
  const ofProject = await filesIn([join(root, '.plugboard'), join(root, '.claude')], places);
  const mine = await Promise.all(own.map((file) => ownFile(file)));
  const theirs = await Promise.all(
    ofProject.map((file) => projectFile(file, { environment, root })),
  );
  return [...mine, ...theirs].filter((one) => one !== undefined);
}

export function isMarkdownName(name: string): boolean {
  return NAME.test(name);
}

/** Keeps the first item with each name. */
export function firstOfEach<T extends { readonly name: string }>(all: readonly T[]): readonly T[] {
  const names = new Set<string>();
  return all.filter(({ name }) => !names.has(name) && names.add(name));
}

type NamedPath = Pick<MarkdownFile, 'name' | 'path'>;

async function ownFile(file: NamedPath): Promise<Result<MarkdownFile, NotesProblem> | undefined> {
  const read = await readTextFile(file.path, { maxBytes: MAX_BYTES });
  if (!read.ok) return read.error.kind === 'missing' ? undefined : read;
  return ok({ ...file, text: read.value });
}

async function projectFile(
  file: NamedPath,
  { environment, root }: MarkdownSource,
): Promise<Result<MarkdownFile, NotesProblem> | undefined> {
  const [read] = await readFolderNotes(environment, { root, paths: [file.path] });
  if (read?.ok !== true) return read;
  // The model reads only what the user sees before the approval, without hidden characters and without a cut-off end.
  return ok({ ...file, text: readyNotes(read.value).text, notes: read.value });
}

async function filesIn(
  folders: readonly string[],
  places: readonly MarkdownPlace[],
): Promise<readonly NamedPath[]> {
  const found = await Promise.all(
    folders.flatMap((folder) => places.map((place) => filesOf(join(folder, place), place))),
  );
  return found
    .flat()
    .filter(({ name }) => NAME.test(name))
    .slice(0, MAX_FILES);
}

async function filesOf(folder: string, place: MarkdownPlace): Promise<readonly NamedPath[]> {
  const items = await listFolder(folder);
  return place === 'skills'
    ? items
        .filter(({ kind }) => kind === 'folder')
        .map(({ name }) => ({ name, path: join(folder, name, 'SKILL.md') }))
    : items
        .filter(({ name }) => name.endsWith('.md'))
        .map(({ name }) => ({ name: basename(name, '.md'), path: join(folder, name) }));
}
