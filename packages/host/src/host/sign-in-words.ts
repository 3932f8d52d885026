// Text for a model about a server that requires a sign-in, or rejects its key: the model cannot change that, but the
// user can, with a command.

import { type CatalogTool, type HostTool, toHostTool } from '../catalog/index.ts';

/** A command line that can be run unchanged, even if the server's name is hostile. */
function commandLine(command: 'login' | 'doctor', server: string): string {
  const isPlain = /^\w[\w.:@/-]*$/.test(server);
  return `plugboard ${command} ${isPlain ? server : `'${server.replaceAll("'", String.raw`'\''`)}'`}`;
}

export function signInWords(server: string): string {
  const who = JSON.stringify(server);
  return `Server ${who} needs the user to sign in. Ask the user to run: ${commandLine('login', server)}`;
}

/** For a server whose entry has a key: signing in would not help. */
export function refusedKeyWords(server: string): string {
  const who = JSON.stringify(server);
  return `Server ${who} does not take the key that its entry has. Ask the user to run: ${commandLine('doctor', server)}`;
}

/** A known tool that cannot be called until the user signs in. */
export function waitingTool(known: CatalogTool): HostTool {
  const tool = toHostTool(known);
  const description = `[${signInWords(tool.server)}] ${tool.description}`;
  return { ...tool, description, needsSignIn: true };
}
