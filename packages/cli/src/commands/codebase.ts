// `plugboard codebase …`: the built-in server as a server of its own, for any MCP client. Its flags, its help and its
// exit codes are those of `plugboard-codebase`; what no flag says comes from the user's settings.

import { hostEnvironment, readConfiguration } from '@plugboard/host/configuration';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { codebaseChoice } from './built-in.ts';

export async function codebase(args: readonly string[]): Promise<ExitCode> {
  const [{ runCommand }, configuration] = await Promise.all([
    import('@plugboard/codebase/command'),
    readConfiguration({ environment: hostEnvironment() }),
  ]);
  const { embedder, store, languageServers, remotes } = codebaseChoice(configuration);
  const settings = { embedder, store, languageServers, remotes };
  const code = await runCommand({ name: 'plugboard codebase', args, ...settings });
  return code === 0 ? EXIT.ok : EXIT.usage;
}
