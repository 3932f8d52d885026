// What a model is told about a server that requires a sign-in: the model cannot sign in itself, but the user
// can, by a command.

import { type CatalogTool, type HostTool, toHostTool } from '../catalog/index.ts';

/** One line that can be run as it stands, whatever a stranger called the server. */
function signInCommand(server: string): string {
  const isPlain = /^\w[\w.:@/-]*$/.test(server);
  return `plugboard login ${isPlain ? server : `'${server.replaceAll("'", String.raw`'\''`)}'`}`;
}

export function signInWords(server: string): string {
  const who = JSON.stringify(server);
  return `Server ${who} needs the user to sign in. Ask the user to run: ${signInCommand(server)}`;
}

/** A tool that is known from before and cannot be called until the user signs in. */
export function waitingTool(known: CatalogTool): HostTool {
  const tool = toHostTool(known);
  const description = `[${signInWords(tool.server)}] ${tool.description}`;
  return { ...tool, description, needsSignIn: true };
}
