// `plugboard secret` and what comes after it.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { SECRET_HELP, SECRET_SET_HELP } from '../print/secret-help.ts';

export interface SecretCommandPorts {
  readonly done: (code: ExitCode) => void;
}

export function addSecretCommands(
  program: Command,
  context: Context,
  { done }: SecretCommandPorts,
): void {
  const secret = withJson(program.command('secret'))
    .description('keep tokens and passwords out of configuration files')
    .addHelpText('after', SECRET_HELP)
    // What is left over is a command that does not exist.
    .allowExcessArguments(true)
    .action(async (_options: object, { args: [unknown] }: Command) => {
      if (unknown === undefined) return secret.help();
      const { unknownSecretCommand } = await import('./secret.ts');
      throw unknownSecretCommand(
        unknown,
        secret.commands.map((candidate) => candidate.name()),
      );
    });
  withJson(secret.command('set'))
    .description('store a secret, or replace it: you are asked for the value')
    .argument('<name>', 'a name for it: letters, digits, _ . and -')
    .option('--stdin', 'read the value from stdin, as is done anyway in a pipe')
    .addHelpText('after', SECRET_SET_HELP)
    // Refused by the command itself: no message may repeat what was meant as a value.
    .allowExcessArguments(true)
    .allowUnknownOption(true)
    .action(async (name: string, options: { stdin?: true }, { args }: Command) => {
      const { setSecret } = await import('./secret.ts');
      const isPiped = options.stdin === true;
      done(await setSecret(context, { name, isPiped, hasMore: args.length > 1 }));
    });
  withJson(secret.command('list'))
    .description('list the names of what is stored')
    .allowExcessArguments(false)
    .action(async () => {
      const { listSecrets } = await import('./secret.ts');
      done(await listSecrets(context));
    });
  withJson(secret.command('remove'))
    .description('forget a secret')
    .argument('<name>', 'its name')
    .allowExcessArguments(false)
    .action(async (name: string) => {
      const { removeSecret } = await import('./secret.ts');
      done(await removeSecret(context, name));
    });
}

function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document to stdout and nothing else');
}
