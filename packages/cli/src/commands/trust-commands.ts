// `plugboard trust`: its options and help.

import { UsageError } from '../usage-error.ts';
import { collect, command, type CommandTable } from './command.ts';

interface TrustFlags {
  readonly give?: readonly string[];
  readonly notes?: true;
  readonly revoke?: true;
}

export const trustCommands: CommandTable = {
  trust: (self, context, done) =>
    command(self, 'trust servers that came with this folder or a plugin')
      .argument('[name]', 'the name of the server; without it, all untrusted ones')
      .option(
        '--give <field>',
        'also give it this variable, header or secret of yours; repeatable',
        collect,
      )
      .option('--notes', 'instead of a server: trust AGENTS.md of this folder, as it is now')
      .option('--revoke', 'withdraw the trust, and what you gave')
      .action(async (name: string | undefined, options: TrustFlags) => {
        const { give = [] } = options;
        const isRevoked = options.revoke === true;
        if (options.notes === true) {
          if (name !== undefined || give.length > 0) {
            throw new UsageError(
              `--notes is about AGENTS.md, and takes no ${name === undefined ? '--give' : 'name'}`,
              'plugboard trust --notes',
            );
          }
          const { forgetNotes, trustNotes } = await import('./trust-notes.ts');
          done(await (isRevoked ? forgetNotes(context) : trustNotes(context)));
          return;
        }
        const { trust } = await import('./trust.ts');
        done(await trust(context, { name, isRevoked, give }));
      }),
};
