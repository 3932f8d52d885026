// Reads the folder of one plugin. A plugin has a manifest, and its servers beside it in `.mcp.json`, as Claude Code's
// plugins do, or is an unpacked bundle. Never throws.
// https://code.claude.com/docs/en/plugins-reference

import { basename, join, resolve } from 'node:path';
import type { Node } from 'jsonc-parser';
import {
  checkName,
  type Diagnostic,
  fileDiagnostic,
  locate,
  MAX_FILE_BYTES,
  parseFile,
  type Position,
  propertyNamed,
  SERVERS_KEY,
  type WrittenServer,
} from '../config/index.ts';
import { type HostEnvironment, readTextFile, staysInside } from '../platform/index.ts';
import { BUNDLE_MANIFEST, isBundle, PLUGIN_MANIFESTS, PLUGIN_SERVERS } from './locate-plugins.ts';
import { type LocatedJson, readLocatedJson } from './located-json.ts';
import { NO_DETAILS, placed, type PluginSource, type ReadPlugin } from './plugin-source.ts';
import { plainName, pluginServerName } from './bundle/plugin-name.ts';
import { readBundle } from './read-bundle.ts';

export interface PluginFolder {
  readonly folder: string;
  /** The future folder of the plugin, if it will be moved. */
  readonly target?: string;
  /** The folder for messages; `target` if absent. */
  readonly shownAs?: string;
  readonly from: PluginSource['from'];
  readonly environment: HostEnvironment;
  /** See `BundleFolder`. */
  readonly answers?: 'none';
  readonly unanswered?: 'show';
}

export async function readPlugin(plugin: PluginFolder): Promise<ReadPlugin> {
  const { folder, target = folder, shownAs = target, from, environment } = plugin;
  const { answers = 'stored', unanswered = 'leave-out' } = plugin;
  for (const name of [...PLUGIN_MANIFESTS, BUNDLE_MANIFEST]) {
    const file = join(shownAs, name);
    if (!(await staysInside(folder, join(folder, name)))) continue;
    const manifest = await readLocatedJson(join(folder, name), file);
    if (manifest.kind === 'missing') continue;
    if (manifest.kind === 'invalid') return unusable(plugin, manifest.diagnostic);
    return name === BUNDLE_MANIFEST
      ? readBundle({ manifest, file, folder: target, from, environment, answers, unanswered })
      : readOrdinary(plugin, manifest, file);
  }
  return unusable(plugin, {
    severity: 'error',
    code: 'plugin-manifest',
    message: 'This folder is not a plugin: it has neither plugin.json nor manifest.json.',
    suggestion: 'Put .claude-plugin/plugin.json with a "name" into it, or remove the folder.',
    file: shownAs,
    line: 0,
    column: 0,
  });
}

function unusable(plugin: PluginFolder, diagnostic: Diagnostic): ReadPlugin {
  const { folder, target = folder, from } = plugin;
  const name = plainName(basename(target)) ?? 'plugin';
  const { file } = diagnostic;
  return {
    ...NO_DETAILS,
    kind: 'unknown',
    source: {
      plugin: name,
      file,
      folder: target,
      from,
      servers: [],
      diagnostics: [diagnostic],
      variables: rootVariables(target),
    },
  };
}

function rootVariables(folder: string): Readonly<Record<string, string>> {
  return { CLAUDE_PLUGIN_ROOT: folder, PLUGIN_ROOT: folder };
}

async function readOrdinary(
  plugin: PluginFolder,
  manifest: LocatedJson,
  file: string,
): Promise<ReadPlugin> {
  const { folder, target = folder, from } = plugin;
  const name = plainName(propertyNamed(manifest.root, 'name')?.value?.value);
  if (name === undefined) return unusable(plugin, placed(NO_NAME, manifest));
  const declared = await declaredServers(plugin, manifest, file);
  const beside = await serversIn(plugin, PLUGIN_SERVERS, 'optional');
  const servers = [...beside.servers, ...declared.flatMap((part) => part.servers)];
  // Servers in the manifest are stronger than those in the file beside it.
  const byName = new Map(servers.map((server) => [server.name, server]));
  const textOf = (key: string): string | undefined => {
    const value: unknown = propertyNamed(manifest.root, key)?.value?.value;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    ...NO_DETAILS,
    kind: 'folder',
    version: textOf('version'),
    description: textOf('description'),
    source: {
      plugin: name,
      file,
      folder: target,
      from,
      servers: [...byName.values()].map((server) => withPluginName(server, name)),
      diagnostics: [...beside.diagnostics, ...declared.flatMap((part) => part.diagnostics)],
      variables: rootVariables(target),
    },
  };
}

const NO_NAME = {
  severity: 'error',
  code: 'bad-name',
  path: ['name'],
  on: 'value',
  message: 'The plugin needs a "name" with letters or digits.',
  suggestion: 'Write it like "name": "my-plugin".',
} as const;

interface Contribution {
  readonly servers: readonly WrittenServer[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads `mcpServers` of the manifest: servers, the path of a file with servers, or a list of paths. */
async function declaredServers(
  plugin: PluginFolder,
  manifest: LocatedJson,
  file: string,
): Promise<readonly Contribution[]> {
  const value = propertyNamed(manifest.root, SERVERS_KEY)?.value;
  if (value === undefined) return [];
  if (value.type === 'object') {
    return [parseFile({ path: file, format: 'claude', text: manifest.text })];
  }
  const items = value.type === 'array' ? (value.children ?? []) : [value];
  return Promise.all(
    items.map((item, index) => {
      const path = value.type === 'array' ? [SERVERS_KEY, index] : [SERVERS_KEY];
      return serversAt(plugin, item, manifest.valueAt(path));
    }),
  );
}

async function serversAt(plugin: PluginFolder, item: Node, at: Position): Promise<Contribution> {
  const path: unknown = item.value;
  const refuse = (message: string, suggestion: string): Contribution => {
    const diagnostic = {
      severity: 'error',
      code: 'bad-value',
      message,
      suggestion,
      ...at,
    } as const;
    return { servers: [], diagnostics: [diagnostic] };
  };
  if (typeof path !== 'string' || path === '') {
    const example = 'Write it like { "name": { "command": "npx" } } or "./servers.json".';
    return refuse(`"${SERVERS_KEY}" must be an object, a path, or a list of paths.`, example);
  }
  const { folder } = plugin;
  const relativePath = path.replaceAll(/\$\{(?:CLAUDE_)?PLUGIN_ROOT\}[\\/]?/g, () => './');
  if (isBundle(relativePath)) {
    return refuse('A bundle inside a plugin is not read.', `Run: plugboard plugin add ${path}`);
  }
  if (!(await staysInside(folder, resolve(folder, relativePath)))) {
    return refuse('The path leads out of the plugin.', 'Move the file into the plugin.');
  }
  const found = await serversIn(plugin, relativePath, 'required');
  return found.isMissing
    ? refuse('There is no such file in the plugin.', 'Correct the path, or add the file.')
    : found;
}

async function serversIn(
  { folder, target = folder, shownAs = target }: PluginFolder,
  name: string,
  presence: 'optional' | 'required',
): Promise<Contribution & { readonly isMissing: boolean }> {
  const path = resolve(shownAs, name);
  const nothing = { servers: [], diagnostics: [], isMissing: false };
  // Manifests for Claude Code often name the default file, which is read anyway.
  const isDefault = path === resolve(shownAs, PLUGIN_SERVERS);
  if (isDefault && presence === 'required') return nothing;
  if (!(await staysInside(folder, resolve(folder, name)))) return nothing;
  const read = await readTextFile(resolve(folder, name), { maxBytes: MAX_FILE_BYTES });
  if (read.ok) {
    const { servers, diagnostics } = parseFile({ path, format: 'mcp-json', text: read.value });
    return { servers, diagnostics, isMissing: false };
  }
  if (read.error.kind === 'missing') return { ...nothing, isMissing: true };
  return { ...nothing, diagnostics: [{ ...fileDiagnostic(read.error), file: path }] };
}

function withPluginName(server: WrittenServer, plugin: string): WrittenServer {
  const name = pluginServerName(plugin, server.name);
  const { broken } = server;
  if (broken !== undefined) return { ...server, name, broken: { ...broken, server: name } };
  const finding = checkName(server.name);
  // A reserved name is allowed as a part of a plugin's name.
  if (finding?.code !== 'bad-name') return { ...server, name };
  const { keyAt, valueAt } = server;
  return { ...server, name, broken: locate(finding, { server: name, keyAt, valueAt }) };
}
