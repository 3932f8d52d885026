// Parses the files in which editors announce their MCP servers: the address, the folders, and the token that
// the server requires. Pure; supports both known kinds of file. Whether the editor still runs is left to the
// caller.

import { posix, win32 } from 'node:path';
import { isObject, parseJson } from '@plugboard/base';

export interface IdeLock {
  /** The process of the editor, if the file names it. */
  readonly pid: number | undefined;
  readonly port: number;
  readonly folders: readonly string[];
  readonly entry: IdeEntry;
}

/** An entry as it would be in a file. Contains the token. */
export interface IdeEntry {
  readonly type: 'ws' | 'sse' | 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface IdeFile {
  readonly name: string;
  readonly text: string;
}

const LIMITS = { maxLength: 64 * 1024, maxDepth: 16 };

/** Parses `~/.claude/ide/<port>.lock`. `undefined` for any other file. */
export function readClaudeLock({ name, text }: IdeFile): IdeLock | undefined {
  const port = portOf(/^(\d{1,5})\.lock$/.exec(name)?.[1]);
  const content = parseFields(text);
  if (port === undefined || content === undefined) return undefined;
  const { pid, workspaceFolders, transport, authToken } = content;
  const header = 'X-Claude-Code-Ide-Authorization';
  const headers = isToken(authToken) ? { [header]: literal(authToken) } : {};
  return {
    pid: typeof pid === 'number' ? pid : undefined,
    port,
    folders: textItems(workspaceFolders),
    entry:
      transport === 'ws'
        ? { type: 'ws', url: `ws://127.0.0.1:${port}`, headers }
        : { type: 'sse', url: `http://127.0.0.1:${port}/sse`, headers },
  };
}

/** Parses `<temporary folder>/gemini/ide/gemini-ide-server-<pid>-<port>.json`. */
export function readGeminiFile(
  { name, text }: IdeFile,
  platform: NodeJS.Platform,
): IdeLock | undefined {
  const [, pid] = /^gemini-ide-server-(\d{1,10})-\d{1,5}\.json$/.exec(name) ?? [];
  const content = parseFields(text);
  if (pid === undefined || content === undefined) return undefined;
  const { workspacePath, authToken } = content;
  const port = portOf(content['port']);
  if (port === undefined) return undefined;
  const { delimiter } = platform === 'win32' ? win32 : posix;
  return {
    pid: Number(pid),
    port,
    folders: typeof workspacePath === 'string' ? textItems(workspacePath.split(delimiter)) : [],
    entry: {
      type: 'http',
      url: `http://127.0.0.1:${port}/mcp`,
      headers: isToken(authToken) ? { Authorization: `Bearer ${literal(authToken)}` } : {},
    },
  };
}

/** How well the editor's folders fit: the length of the innermost one that contains `cwd`, if any. */
export function fitOf(
  { folders }: Pick<IdeLock, 'folders'>,
  cwd: string,
  platform: NodeJS.Platform,
): number | undefined {
  const system = platform === 'win32' ? win32 : posix;
  const contains = (folder: string): boolean => {
    const path = system.relative(folder, cwd);
    return path !== '..' && !path.startsWith(`..${system.sep}`) && !system.isAbsolute(path);
  };
  const lengths = folders
    .filter((folder) => system.isAbsolute(folder) && contains(folder))
    .map((folder) => system.resolve(folder).length);
  return lengths.length === 0 ? undefined : Math.max(...lengths);
}

function parseFields(text: string): Record<string, unknown> | undefined {
  const parsed = parseJson(text, LIMITS);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

function portOf(value: unknown): number | undefined {
  const port = typeof value === 'string' ? Number(value) : value;
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536;
  return isPort ? port : undefined;
}

function textItems(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is string => typeof each === 'string' && each !== '');
}

/** Whether a header can contain the token. An error about an invalid header would show it. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

/** Variables are filled in later, and a token must not be read as one. */
function literal(token: string): string {
  return token.replaceAll('${', () => '$${');
}
