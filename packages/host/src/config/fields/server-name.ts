// Which names a server may have. Names are used by models, files and command lines, so they are plain.

import { type Finding, type NameRule, shorten } from '../text/index.ts';

export const CODEBASE = 'codebase';
export const WORKSPACE = 'workspace';

/** The servers that Plugboard itself supplies. A configured server cannot replace them. */
export const BUILT_IN_SERVERS: readonly string[] = [CODEBASE, WORKSPACE];

/**
 * Patterns of their tools that run without asking: they read the folder, or a command that was approved
 * before it started.
 */
export const UNASKED_TOOLS: Readonly<Record<string, readonly string[]>> = {
  [CODEBASE]: ['*'],
  [WORKSPACE]: ['read_job', 'stop_job'],
};

/**
 * The problem with a name, if any. Names of servers of plugins and connectors have several parts, which identify the
 * plugin or connector; other sources may use such a name to patch the server.
 */
export function checkName(name: string): Finding | undefined {
  const builtIn = name.toLowerCase();
  // A user who approves a call could not tell the two apart.
  if (BUILT_IN_SERVERS.includes(builtIn)) {
    return {
      ...ON_NAME,
      code: 'reserved-name',
      message: `The name "${name}" is reserved for the built-in server ${builtIn === name ? 'of that name' : `"${builtIn}"`}.`,
      suggestion: `Give it another name, for example "my-${builtIn}".`,
    };
  }
  // In a bare `.mcp.json` a server of this name would turn the file into the other shape.
  if (name === 'mcpServers') {
    return {
      ...ON_NAME,
      code: 'reserved-name',
      message: 'A server cannot be called "mcpServers": that key holds the servers.',
      suggestion: 'Give it another name, and look for one "mcpServers" too many.',
    };
  }
  if (SERVER_NAMES.pattern.test(name)) return undefined;
  return {
    ...ON_NAME,
    code: 'bad-name',
    message: `${JSON.stringify(shorten(name))} cannot be the name of a server.`,
    suggestion: `Use 1 to 64 of the characters A-Z a-z 0-9 _ -${example(name)}.`,
  };
}

const ON_NAME = { severity: 'error', path: [], on: 'key' } as const;

const PART = '[A-Za-z0-9_-]{1,64}';
const WORDS = 'must have names of 1 to 64 of A-Z a-z 0-9 _ -';
/** Names without parts, as connectors have. */
export const PLAIN_NAMES: NameRule = { pattern: new RegExp(`^${PART}$`), words: WORDS };
const NAME_IN_PARTS = new RegExp(`^(?:plugin|connector):${PART}:${PART}$`);
/** Names that a server may have in a file. */
export const SERVER_NAMES: NameRule = {
  pattern: new RegExp(`^(?:${PART}|(?:plugin|connector):${PART}:${PART})$`),
  words: WORDS,
  reserved: [...BUILT_IN_SERVERS, 'mcpServers'],
};

/** The nearest name of allowed characters only. It may be empty, or reserved. */
export function plainName(name: string): string {
  // Cut first: a name in a file may be as long as the file.
  return name
    .slice(0, 256)
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64);
}

function example(name: string): string {
  const plain = plainName(name);
  return plain === '' || checkName(plain) !== undefined ? '' : `, for example "${plain}"`;
}

/** Whether a text can be one part of a name: the name of a plugin, of a connector, or of one of their servers. */
export function isNamePart(text: string): boolean {
  return PLAIN_NAMES.pattern.test(text);
}

/** Whether a name has several parts, as the names of servers of plugins and connectors have. */
export function isNameInParts(name: string): boolean {
  return NAME_IN_PARTS.test(name);
}
