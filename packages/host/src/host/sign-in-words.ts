// What a model is told about a server that requires a sign-in, or another key than it is given: the model can do
// nothing about it, but the user can, by a command.

import { type CatalogTool, type HostTool, toHostTool } from '../catalog/index.ts';

/** One line that can be run as it stands, whatever a stranger called the server. */
function commandLine(command: 'login' | 'doctor', server: string): string {
  const isPlain = /^\w[\w.:@/-]*$/.test(server);
  return `plugboard ${command} ${isPlain ? server : `'${server.replaceAll("'", String.raw`'\''`)}'`}`;
}

export function signInWords(server: string): string {
  const who = JSON.stringify(server);
  return `Server ${who} needs the user to sign in. Ask the user to run: ${commandLine('login', server)}`;
}

/** Of one whose entry has a key: there is no sign-in that would help. */
export function refusedKeyWords(server: string): string {
  const who = JSON.stringify(server);
  return `Server ${who} does not take the key that its entry has. Ask the user to run: ${commandLine('doctor', server)}`;
}

/** A tool that is known from before and cannot be called until the user signs in. */
export function waitingTool(known: CatalogTool): HostTool {
  const tool = toHostTool(known);
  const description = `[${signInWords(tool.server)}] ${tool.description}`;
  return { ...tool, description, needsSignIn: true };
}
