// Reads the servers that a person names for one run with `--mcp-config`: files, and JSON on the command line.
// Only the servers in them count. A file that is named but cannot be read is an error.

import { dirname, resolve } from 'node:path';
import {
  type Claim,
  type ConfigFile,
  type Diagnostic,
  fileDiagnostic,
  isSetting,
  type ParsedFile,
  parseFile,
  propertiesOf,
  readConfigFile,
  SERVERS_KEY,
  type SettingsText,
} from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { byPlace, claimsIn, NO_SETTINGS, type Source } from './source.ts';

/** Replaces the file name in messages about JSON on the command line. */
const MCP_CONFIG_FLAG = '--mcp-config';

/** `first`: the position of the first source among all. Later texts are stronger, so they come first. */
export function readMcpConfig(
  named: readonly string[],
  environment: Pick<HostEnvironment, 'cwd'>,
  first: number,
): Promise<readonly Source[]> {
  return Promise.all(
    named.toReversed().map(async (text, index) => {
      const file = fileOf(text, environment);
      return mcpConfigSource(file, await contentOf(file, text), first + index);
    }),
  );
}

/** Whether a source is JSON on the command line. */
export function isInline({ path }: Pick<ConfigFile, 'path'>): boolean {
  return path === MCP_CONFIG_FLAG;
}

function fileOf(named: string, { cwd }: Pick<HostEnvironment, 'cwd'>): ConfigFile {
  const kind = { scope: 'dynamic', format: 'mcp-json' } as const;
  if (named.trimStart().startsWith('{')) return { ...kind, path: MCP_CONFIG_FLAG, folder: cwd };
  const path = resolve(cwd, named);
  return { ...kind, path, folder: dirname(path) };
}

async function contentOf(file: ConfigFile, named: string): Promise<ParsedFile> {
  if (isInline(file)) return parseFile({ ...file, text: named });
  const read = await readConfigFile(file);
  if (read.state !== 'missing') return read;
  const cause = {
    ...fileDiagnostic({ kind: 'missing', path: file.path }),
    suggestion: `Check the path after ${MCP_CONFIG_FLAG}; JSON has to begin with "{".`,
  };
  return { state: 'invalid', servers: [], diagnostics: [cause], cause };
}

function mcpConfigSource(file: ConfigFile, content: ParsedFile, position: number): Source {
  const { scope, folder } = file;
  const written = claimsIn(content.servers, { scope, position, folder, names: 'any' });
  const claims = isInline(file) ? written.map(asGiven) : written;
  return {
    file,
    state: content.state,
    claims,
    diagnostics: [
      ...content.diagnostics,
      ...claims.flatMap(({ diagnostics }) => diagnostics),
      ...unusedSettings(content.settings),
    ].toSorted(byPlace),
    ...NO_SETTINGS,
  };
}

function asGiven(claim: Claim): Claim {
  return { ...claim, origin: { kind: 'given', by: MCP_CONFIG_FLAG } };
}

/** The user names such a file for its servers and would not expect its rules and hooks to apply. */
function unusedSettings(settings: SettingsText | undefined): readonly Diagnostic[] {
  if (settings === undefined) return [];
  return propertiesOf(settings.root)
    .filter(({ name }) => name !== SERVERS_KEY && name !== '$schema' && isSetting(name))
    .map(({ name, key }) => ({
      severity: 'warning',
      code: 'unused-key',
      message: `"${name}" has no effect here: only the servers of ${MCP_CONFIG_FLAG} count.`,
      suggestion: 'Write it into your settings: plugboard config path --scope user',
      ...settings.at(key.offset),
    }));
}
