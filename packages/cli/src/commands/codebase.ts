// `plugboard codebase …`: runs the built-in server for any MCP client. Its flags, help and exit codes are those of
// `plugboard-codebase`. The user's settings are the defaults of the flags.

import { hostEnvironment, readConfiguration } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { UsageError } from '../usage-error.ts';
import { codebaseChoice } from './built-in.ts';

const NAME = 'plugboard codebase';

export async function codebase(context: Context, args: readonly string[]): Promise<ExitCode> {
  if (context.isJson) return printDocument(context, args);
  const [{ runCommand }, configuration] = await Promise.all([
    import('@plugboard/codebase/command'),
    readConfiguration({ environment: hostEnvironment() }),
  ]);
  const { embedder, store, languageServers, remotes } = codebaseChoice(configuration);
  const settings = { embedder, store, languageServers, remotes };
  const code = await runCommand({ name: NAME, args, ...settings });
  return code === 0 ? EXIT.ok : EXIT.usage;
}

/** Prints the help or the version as JSON. The server prints no JSON document, since stdout belongs to its client. */
async function printDocument(context: Context, given: readonly string[]): Promise<ExitCode> {
  const { helpFor, readFlags } = await import('@plugboard/codebase/command');
  const asked = readFlags(given.filter((word) => word !== '--json'));
  if (!asked.ok) throw new UsageError(asked.error, `see the usage: ${NAME} --help`);
  switch (asked.value.kind) {
    case 'help':
      printJson(context, { help: helpFor(NAME) });
      return EXIT.ok;
    case 'version':
      printJson(context, { version: context.version });
      return EXIT.ok;
    default:
      throw new UsageError(
        'a server prints no JSON document',
        'leave out --json; for a log in JSON: plugboard codebase --json-logs',
      );
  }
}
