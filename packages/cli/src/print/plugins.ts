// Plugins as text and as a table: their servers, their questions and their state.

import type {
  Diagnostic,
  PluginServer,
  Question,
  ReadPlugin,
  StagedPlugin,
  StageProblem,
} from '@plugboard/host/configuration';
import { shortPath, type Standpoint } from './place.ts';
import { oneLine } from './sanitise.ts';
import { type Column, table } from './table.ts';
import { quoted } from './visible.ts';

type Refusal = Extract<StageProblem, { kind: 'refused' }>['reason'];

/** Each continues a sentence after the name of a file in the bundle. */
export const ENTRY_REFUSALS: Readonly<Record<Refusal, string>> = {
  'absolute-path': 'is an absolute path',
  'leaves-folder': 'leads out of its folder',
  'link-leaves': 'is a link that leads out of its folder, or nowhere',
  'bad-name': 'is a name that not every system can have',
  'same-name': 'is a name that another file has on some systems',
  'file-is-folder': 'is both a file and a folder',
  'not-a-file': 'is neither a file nor a folder',
  encrypted: 'is encrypted',
  'unknown-compression': 'is packed in an unknown way',
  'too-compressed': 'would unfold into far more than it is',
  'wrong-size': 'has another size than the list of contents says',
  broken: 'is damaged',
};

/** Shows every command completely, so that nothing can be hidden. */
export function previewText(
  plugin: Pick<StagedPlugin, 'name' | 'version' | 'description' | 'servers'>,
): string {
  const { name, version, description, servers } = plugin;
  const title = [`"${name}"`, version ?? '']
    .map((word) => oneLine(word))
    .join(' ')
    .trim();
  const about = description === undefined ? '' : `: ${oneLine(description, 200)}`;
  if (servers.length === 0) return `Plugin ${title}${about}\n  It has no servers.\n`;
  const lines = servers.flatMap(({ name: server, command, url, variables, headers }) => [
    `  ${oneLine(server)}`,
    ...(command === undefined ? [] : [`    runs     ${exactly(command)}`]),
    ...(url === undefined ? [] : [`    reaches  ${exactly([url])}`]),
    ...(variables.length === 0 ? [] : [`    sets     ${exactly(variables)}`]),
    ...(headers.length === 0 ? [] : [`    headers  ${exactly(headers)}`]),
  ]);
  return `Plugin ${title}${about}\n${lines.join('\n')}\n`;
}

export function trustText(servers: readonly PluginServer[]): string {
  return servers.map(({ name }) => `Trust it: plugboard trust ${oneLine(name)}\n`).join('');
}

/** Missing values become null, so that every field is present. */
export function serverDocument({ name, command, url, variables, headers }: PluginServer) {
  return { name, command: command ?? null, url: url ?? null, variables, headers };
}

/** A question with its texts sanitised and cut for the terminal, and its default as text. */
export function shownQuestion(question: Question): {
  readonly field: Question;
  readonly fallback: string | undefined;
} {
  const { title, description = '', fallback } = question;
  return {
    field: {
      ...question,
      title: oneLine(title, 80),
      description: description === '' ? undefined : oneLine(description, 200),
    },
    fallback: fallback === undefined ? undefined : oneLine(JSON.stringify(fallback), 60),
  };
}

export interface PluginRow {
  readonly name: string;
  readonly kind: ReadPlugin['kind'];
  readonly version: string | null;
  readonly from: 'user' | 'project';
  readonly folder: string;
  readonly servers: readonly string[];
  /** The names of its questions. */
  readonly questions: readonly string[];
  readonly state: 'ready' | 'not-configured' | 'broken';
  readonly diagnostics: readonly Diagnostic[];
}

export function pluginRow(plugin: ReadPlugin): PluginRow {
  const { source, kind, version, questions, missing } = plugin;
  const diagnostics = [
    ...source.diagnostics,
    ...source.servers.flatMap(({ broken }) => broken ?? []),
  ];
  const isBroken = kind === 'unknown' || diagnostics.some(({ severity }) => severity === 'error');
  return {
    name: source.plugin,
    kind,
    version: version ?? null,
    from: source.from,
    folder: source.folder,
    servers: source.servers.map(({ name }) => name),
    questions: questions.map(({ name }) => name),
    state: missing.length > 0 ? 'not-configured' : isBroken ? 'broken' : 'ready',
    diagnostics,
  };
}

export function pluginTable(rows: readonly PluginRow[], from: Standpoint, screen: number): string {
  const columns: readonly Column<PluginRow>[] = [
    { title: 'PLUGIN', cell: ({ name }) => name, isName: true },
    { title: 'VERSION', cell: ({ version }) => version ?? '-', from: 80 },
    { title: 'STATE', cell: ({ state }) => state },
    { title: 'FROM', cell: (row) => row.from, from: 60 },
    { title: 'FOLDER', cell: ({ folder }) => shortPath(folder, from), from: 100 },
    { title: 'SERVERS', cell: ({ servers }) => servers.join(', ') || '-' },
  ];
  return table(columns, rows, screen);
}

/** Words without terminal sequences, quoted if necessary. */
function exactly(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./${}()~-]+$/.test(word) ? word : quoted(word))).join(' ');
}
