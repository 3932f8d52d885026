// `plugboard codebase`: passes all its words to the server, which reads and explains its own flags.

import type { CommandTable } from './command.ts';

export const codebaseCommands: CommandTable = {
  codebase: (self, context, done) =>
    self
      .description('serve code search over this folder to any MCP client')
      .usage('[--root FOLDER] [--http [PORT]] …')
      .argument('[flags...]')
      .addHelpText('after', '\nSee all flags: plugboard codebase --help')
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions()
      .action(async (flags: string[]) => {
        const { codebase } = await import('./codebase.ts');
        done(await codebase(context, flags), 'served');
      }),
};
