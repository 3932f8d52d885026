// `plugboard pins` and its subcommands.

import type { Command } from 'commander';
import { PINS_HELP } from '../print/help-text.ts';
import { command, type CommandTable, TRUST_HELP, unknownCommand } from './command.ts';

export const pinsCommands: CommandTable = {
  pins: (self, context, done) => {
    const list = async (): Promise<void> => {
      const { listPins } = await import('./pins.ts');
      done(await listPins(context));
    };
    const pins = command(self, 'review changes to tools that you accepted')
      .usage('[command]')
      // An excess argument is an unknown command, as in a group of commands.
      .allowExcessArguments(true)
      .addHelpText('after', PINS_HELP)
      .action(async (_options: object, { args: [unknown] }: Command) => {
        if (unknown !== undefined) throw await unknownCommand(unknown, pins);
        await list();
      });
    command(
      pins.command('list'),
      'list what is accepted and what is kept back, from the last listing',
    ).action(list);
    command(pins.command('diff'), 'show the differences from what you accepted')
      .argument('<server>', 'the name of the server')
      .argument('[tool]', 'only this tool')
      .option('--trust-project', TRUST_HELP)
      .action(async (server: string, tool: string | undefined) => {
        const { diffPins } = await import('./pins-review.ts');
        done(await diffPins(context, { server, tool }));
      });
    command(pins.command('accept'), 'accept what is kept back, as it is now')
      .argument('<server>', 'the name of the server')
      .argument('[tool...]', 'only these tools')
      .option('--all', 'everything that is kept back, without asking')
      .option('--trust-project', TRUST_HELP)
      .action(async (server: string, tools: string[], options: { all?: true }) => {
        const { acceptPins } = await import('./pins-review.ts');
        done(await acceptPins(context, { server, tools, isAll: options.all === true }));
      });
    command(pins.command('forget'), 'forget what you accepted: the next list counts as the first')
      .argument('<server>', 'the name of the server')
      .action(async (server: string) => {
        const { forget } = await import('./pins.ts');
        done(await forget(context, server));
      });
  },
};
