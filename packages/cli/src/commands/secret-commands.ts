// `plugboard secret` and its subcommands.

import type { Command } from 'commander';
import { SECRET_HELP, SECRET_SET_HELP } from '../print/help-text.ts';
import { command, commandGroup, type CommandTable } from './command.ts';

export const secretCommands: CommandTable = {
  secret: (self, context, done) => {
    const secret = commandGroup(
      self,
      'keep tokens and passwords out of configuration files',
    ).addHelpText('after', SECRET_HELP);
    command(secret.command('set'), 'store a secret, or replace it: you are asked for the value')
      .argument('<name>', 'a name for it: letters, digits, _ . and -')
      .option('--stdin', 'read the value from stdin (the default in a pipe)')
      .addHelpText('after', SECRET_SET_HELP)
      // The command itself refuses other words, because no message may repeat a secret.
      .allowExcessArguments(true)
      .allowUnknownOption(true)
      .action(async (name: string, options: { stdin?: true }, { args }: Command) => {
        const { setSecret } = await import('./secret.ts');
        const isPiped = options.stdin === true;
        done(await setSecret(context, { name, isPiped, hasMore: args.length > 1 }));
      });
    command(secret.command('list'), 'list the names of stored secrets').action(async () => {
      const { listSecrets } = await import('./secret.ts');
      done(await listSecrets(context));
    });
    command(secret.command('remove'), 'delete a secret')
      .argument('<name>', 'its name')
      .action(async (name: string) => {
        const { removeSecret } = await import('./secret.ts');
        done(await removeSecret(context, name));
      });
  },
};
