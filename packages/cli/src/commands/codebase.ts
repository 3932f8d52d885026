// `plugboard codebase …`: runs the built-in server as a separate one, for any MCP client. Its flags, help and exit
// codes are those of `plugboard-codebase`; the user's settings fill in what no flag says.

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
