// Copies the files of one host from ../fixtures to a temporary home and project, and reads them. The
// temporary folder is shown as `@`, so that whole values can be compared.

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TempFolder, tempFolder } from '@plugboard/testkit';
import { type ForeignFile, foreignServers } from '../../../src/foreign/foreign-servers.ts';
import { testEnvironment } from '../../config/test-environment.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));

/** A home and a project with the files of these hosts. */
export async function fixtureFolder(...hosts: readonly string[]): Promise<TempFolder> {
  const folder = await tempFolder();
  await folder.mkdir('project/.git');
  await folder.mkdir('home');
  for (const host of hosts) {
    await cp(join(FIXTURES, host), folder.path, { recursive: true });
    if (host !== 'claude-code') continue;
    // The file names projects by their paths.
    const file = join(folder.path, 'home', '.claude.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('@PROJECT@', join(folder.path, 'project')));
  }
  return folder;
}

/** The relevant parts of each file, with only the lines of positions. */
export async function translated(folder: TempFolder): Promise<unknown> {
  const found = await foundIn(folder);
  return found.map(({ path, owner, servers, diagnostics }) => ({
    path,
    owner,
    servers: servers.map(({ name, entry, notes, at }) => ({ name, line: at.line, entry, notes })),
    diagnostics,
  }));
}

export async function foundIn(folder: TempFolder): Promise<readonly ForeignFile[]> {
  const found = await foreignServers(testEnvironment(folder.path));
  return JSON.parse(JSON.stringify(found).replaceAll(folder.path, '@')) as ForeignFile[];
}
