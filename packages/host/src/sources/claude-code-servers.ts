// Reads the servers in Claude Code's own file: those of the user, and those of the user in this project,
// which are stronger. The file also contains the history of Claude Code, may be very large and changes often,
// so only the parts with servers are parsed. It is never written here.

import {
  type Claim,
  claim,
  type ConfigFile,
  type Diagnostic,
  fileDiagnostic,
  findJsonParts,
  type JsonPart,
  lastOfEach,
  parseDocument,
  placesIn,
  placesOf,
  type Position,
  propertiesOf,
  type Property,
  nodeValue,
} from '../config/index.ts';
import { claudeCode, type ImportContext, isInstalledGateway } from '../foreign/index.ts';
import { type HostEnvironment, readTextFile } from '../platform/index.ts';
import { NO_SETTINGS, type Source } from './source.ts';

/** The history makes the file large; a larger one would take too long to read. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface ClaudeCodeSource extends Source {
  /** Changes with the servers; `undefined` while the file cannot be read. */
  readonly signature: string | undefined;
}

interface ProjectContext {
  readonly environment: HostEnvironment;
  /** The top of the project. */
  readonly root: string;
}

/** Never throws. */
export async function readClaudeCode(place: ProjectContext): Promise<ClaudeCodeSource> {
  const file = claudeCodeFile(place);
  const nothing = { file, claims: [], diagnostics: [], ...NO_SETTINGS };
  const read = await readTextFile(file.path, { maxBytes: MAX_BYTES });
  if (!read.ok) {
    if (read.error.kind === 'missing') return { ...nothing, state: 'missing', signature: '' };
    return { ...nothing, ...unusable(fileDiagnostic(read.error)) };
  }
  // The file is empty for a moment while it is being written.
  if (read.value.trim() === '') return { ...nothing, state: 'invalid', signature: undefined };
  const parts = findServerParts(read.value, place);
  if (parts === 'broken' || !parts.every(isSound)) {
    return { ...nothing, ...unusable(broken(file.path)) };
  }
  const claims = parts.flatMap((part, position) => claimsIn(part, { file, position, place }));
  return {
    ...nothing,
    state: 'read',
    claims,
    // A mistake in another program's file is only worth a warning.
    diagnostics: claims.flatMap(({ diagnostics }) => diagnostics.map(asWarning)),
    signature: JSON.stringify(parts.map((part) => part?.text)),
  };
}

function claudeCodeFile({ environment, root }: ProjectContext): ConfigFile {
  const [file] = claudeCode.files(surroundingsOf({ environment, root }));
  const { home } = environment;
  return { path: file?.path ?? '', scope: 'claude-code', format: 'claude', folder: home };
}

function surroundingsOf({ environment, root }: ProjectContext): ImportContext {
  const { env, home, platform } = environment;
  return { env, home, platform, project: root };
}

/**
 * The parts of this project, which Claude Code names by its top or by its own working folder, then those of
 * the user.
 */
function findServerParts(
  text: string,
  { environment: { cwd }, root }: ProjectContext,
): readonly (JsonPart | undefined)[] | 'broken' {
  const projects = [...new Set([cwd, root])].flatMap((folder) => [
    ...new Set([folder, folder.replaceAll('\\', '/')]),
  ]);
  return findJsonParts(text, [
    ...projects.map((folder) => ['projects', folder, 'mcpServers']),
    ['mcpServers'],
  ]);
}

interface PartSource {
  readonly file: ConfigFile;
  /** The index of the part. */
  readonly position: number;
  readonly place: ProjectContext;
}

function isSound(part: JsonPart | undefined): boolean {
  if (part === undefined) return true;
  const document = parseDocument(part.text);
  return document.kind === 'tree' && document.problems.length === 0;
}

function claimsIn(part: JsonPart | undefined, source: PartSource): readonly Claim[] {
  if (part === undefined) return [];
  const document = parseDocument(part.text);
  if (document.kind !== 'tree') return [];
  const at = positionsIn(part, source.file.path);
  return lastOfEach(propertiesOf(document.root))
    .filter(({ name, value }) => !isInstalledGateway(name, value && nodeValue(value)))
    .map((property) => claimOf(property, at, source));
}

function claimOf(
  property: Property,
  at: (offset: number) => Position,
  { file: { scope, folder }, position, place }: PartSource,
): Claim {
  const { name } = property;
  const places = placesIn(property, at);
  const value = property.value && nodeValue(property.value);
  const entry = { name, value, setting: () => undefined };
  const translation = claudeCode.translate(entry, surroundingsOf(place));
  return claim({
    name,
    // An entry that cannot be translated is checked as it is, which reports the problem.
    value: translation.kind === 'entry' ? translation.entry : value,
    scope,
    position,
    folder,
    names: 'any',
    origin: { kind: 'file', ...places.keyAt([]) },
    place: { server: name, ...places },
  });
}

function positionsIn(part: JsonPart, file: string): (offset: number) => Position {
  const placeOf = placesOf(part.text);
  return (offset) => {
    const { line, column } = placeOf(offset);
    const isFirst = line === 1;
    return {
      file,
      line: part.line + line - 1,
      column: isFirst ? part.column + column - 1 : column,
    };
  };
}

function unusable(
  cause: Diagnostic,
): Pick<ClaudeCodeSource, 'state' | 'diagnostics' | 'signature'> {
  const suggestion = `${cause.suggestion} Or leave its servers out: "discover": { "claudeCode": false } in your settings.`;
  const diagnostic = asWarning({ ...cause, suggestion });
  return { state: 'invalid', diagnostics: [diagnostic], signature: undefined };
}

function broken(file: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'syntax',
    message: 'The file of Claude Code is not valid JSON, so its servers are left out.',
    suggestion: 'Have Claude Code write it again.',
    file,
    line: 1,
    column: 1,
  };
}

function asWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: 'warning' };
}
