// Reads the servers of other MCP hosts on this machine, and translates them to our entries. Their files are
// untrusted text: a file that cannot be read, or a server that cannot be used, becomes a diagnostic, and the
// rest is offered. Changes nothing.

import {
  checkName,
  type Diagnostic,
  entryProblems,
  fileDiagnostic,
  plainName,
  type Position,
  projectRoot,
} from '../config/index.ts';
import { type HostEnvironment, readTextFile } from '../platform/index.ts';
import { FOREIGN_HOSTS } from './hosts/all-hosts.ts';
import type {
  ForeignHost,
  ForeignHostId,
  ForeignPath,
  ImportContext,
} from './hosts/foreign-host.ts';
import { isInstalledGateway } from './hosts/gateway-entry.ts';
import type { Note } from './hosts/note.ts';
import { type PlacedEntry, readForeignText } from './foreign-document.ts';

/** Large, since some hosts store their history in the same file. */
const MAX_FOREIGN_BYTES = 16 * 1024 * 1024;

export interface ForeignServer {
  /** A valid name. */
  readonly name: string;
  /** The entry as it would be in our file; it passes the check of every edit. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly notes: readonly Note[];
  readonly at: Position;
}

/** An existing file of another host. */
export interface ForeignFile {
  readonly host: ForeignHostId;
  readonly path: string;
  readonly owner: ForeignPath['owner'];
  readonly servers: readonly ForeignServer[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The files of all hosts in the order of `FOREIGN_HOSTS`. Never throws. */
export async function foreignServers(
  environment: HostEnvironment,
): Promise<readonly ForeignFile[]> {
  const { env, home, platform } = environment;
  const project = await projectRoot(environment.cwd);
  const surroundings: ImportContext = { env, home, platform, project };
  const files = await Promise.all(
    FOREIGN_HOSTS.flatMap((host) =>
      filesOf(host, surroundings).map((file) => readForeignFile(host, file, surroundings)),
    ),
  );
  return files.filter((file) => file !== undefined);
}

/** If the home folder is the project, a file of the user is not also a file of the project. */
function filesOf(host: ForeignHost, surroundings: ImportContext): readonly ForeignPath[] {
  const files = host.files(surroundings);
  const own = new Set(files.filter(({ owner }) => owner === 'user').map(({ path }) => path));
  return files.filter(({ owner, path }) => owner === 'user' || !own.has(path));
}

async function readForeignFile(
  host: ForeignHost,
  file: ForeignPath,
  surroundings: ImportContext,
): Promise<ForeignFile | undefined> {
  const found = { host: host.id, path: file.path, owner: file.owner };
  const read = await readTextFile(file.path, { maxBytes: MAX_FOREIGN_BYTES });
  if (!read.ok) {
    if (read.error.kind === 'missing') return undefined;
    return { ...found, servers: [], diagnostics: [fileDiagnostic(read.error)] };
  }
  const document = await readForeignText({
    file,
    text: read.value,
    serverMaps: host.serverMaps(surroundings),
  });
  if (document.kind === 'invalid') {
    return { ...found, servers: [], diagnostics: [document.diagnostic] };
  }
  const offers = document.entries.map((entry) => offerOf(host, entry, surroundings));
  return {
    ...found,
    servers: offers.flatMap((offer) => (offer.kind === 'server' ? [offer.server] : [])),
    diagnostics: offers.flatMap((offer) => (offer.kind === 'refused' ? [offer.diagnostic] : [])),
  };
}

export type Offer =
  | { readonly kind: 'server'; readonly server: ForeignServer }
  | { readonly kind: 'refused'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'none' };

/** Translates one entry of another host to a server that could be added, or explains why it cannot. Pure. */
export function offerOf(
  host: ForeignHost,
  placed: PlacedEntry,
  surroundings: ImportContext,
): Offer {
  const translation = host.translate(placed, surroundings);
  const refused = (words: Refusal): Offer => ({
    kind: 'refused',
    diagnostic: { severity: 'warning', ...words, ...placed.at },
  });
  if (translation.kind === 'no-server') return { kind: 'none' };
  const name = nameFor(placed.name);
  const shown = JSON.stringify(placed.name.slice(0, 80));
  if (translation.kind === 'not-an-object') return refused(notAnObject(shown));
  if (translation.kind === 'extension') return refused(ofExtension(shown, host));
  const { entry } = translation;
  if (isInstalledGateway(placed.name, entry)) return { kind: 'none' };
  if (entry['command'] === undefined && entry['url'] === undefined) {
    return refused(nothingToRun(shown));
  }
  const [problem] = entryProblems({ file: placed.at.file, name, entry });
  if (problem !== undefined) {
    const { code, message, suggestion } = problem;
    return refused({ code, message: `${shown} cannot be imported. ${message}`, suggestion });
  }
  const renamed: readonly Note[] =
    name === placed.name ? [] : [{ kind: 'renamed', from: placed.name }];
  const notes = [...renamed, ...translation.notes];
  return { kind: 'server', server: { name, entry, notes, at: placed.at } };
}

type Refusal = Pick<Diagnostic, 'code' | 'message' | 'suggestion'>;

function notAnObject(shown: string): Refusal {
  return {
    code: 'wrong-type',
    message: `${shown} cannot be imported: its entry is not an object.`,
    suggestion: 'Correct it there.',
  };
}

function ofExtension(shown: string, { title }: ForeignHost): Refusal {
  return {
    code: 'command-or-url',
    message: `${shown} cannot be imported: it is started by an extension of ${title}.`,
    suggestion: 'Find out what the extension runs, and use plugboard add.',
  };
}

function nothingToRun(shown: string): Refusal {
  return {
    code: 'command-or-url',
    message: `${shown} cannot be imported: it has neither a command nor a url.`,
    suggestion: 'Nothing needs to be done if it only changes a server from elsewhere.',
  };
}

/** The nearest valid name. */
function nameFor(foreign: string): string {
  // Safe for us, but dangerous for less careful programs that read the file.
  if (foreign === '__proto__') return 'proto';
  if (checkName(foreign) === undefined) return foreign;
  const plain = plainName(foreign);
  if (plain === '') return 'server';
  return checkName(plain) === undefined ? plain : `my-${plain}`;
}
