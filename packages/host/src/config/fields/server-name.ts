// Which names a server may have. Names reach models, files and command lines, so they are plain.

import { type Finding, type NameRule, shorten } from '../text/index.ts';

/** Servers that Plugboard brings itself. A configured server cannot take their place. */
export const BUILT_IN_SERVERS: readonly string[] = ['codebase', 'workspace'];

/** Their tools that run without asking, by patterns: they read the folder, or a command that was approved when it began. */
export const UNASKED_TOOLS: Readonly<Record<string, readonly string[]>> = {
  codebase: ['*'],
  workspace: ['read_job', 'stop_job'],
};

/**
 * What is wrong with a name, or nothing. Servers of plugins and connectors have names in parts, which
 * say who brought them; other sources may use such a name to patch one.
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

/** One part of such a name: what a plugin or a connector may call its server, or be called. */
export function isNamePart(text: string): boolean {
  return PLAIN_NAMES.pattern.test(text);
}

/** The name says that a plugin or a connector brings the server. */
export function isNameInParts(name: string): boolean {
  return NAME_IN_PARTS.test(name);
}
