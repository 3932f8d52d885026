// `plugboard login`, `logout` and `auth …`: their options and help.

import type { Command } from 'commander';
import type { AdHocFlags } from './ad-hoc.ts';
import { AUTH_IMPORT_HELP, LOGIN_HELP } from '../print/help-text.ts';
import {
  command,
  commandGroup,
  type CommandTable,
  TRUST_HELP,
  withAdHocServer,
  withNamedServers,
} from './command.ts';

interface LoginOptions extends AdHocFlags {
  readonly account?: string;
  /** False with `--no-browser`. */
  readonly browser: boolean;
  readonly device?: true;
}

const ACCOUNT_HELP = 'the account, if you use several with this server';

export const authCommands: CommandTable = {
  login: (self, context, done) =>
    withAdHocServer(withNamedServers(command(self, 'sign in to a server')))
      .argument('[name]', 'the name of the server; omit it with --url')
      .option('--account <account>', ACCOUNT_HELP)
      .option('--no-browser', 'do not open a browser: show the address, and read what you paste')
      .option('--device', 'sign in on another device, with a code')
      .option('--trust-project', TRUST_HELP)
      .addHelpText('after', LOGIN_HELP)
      .action(async (named: string | undefined, flags: LoginOptions) => {
        const { login } = await import('./login.ts');
        const { requireServer } = await import('./ad-hoc.ts');
        const selected = await requireServer(context, flags, named);
        const { account, browser, device } = flags;
        const way = device === true ? 'device' : browser ? 'browser' : 'no-browser';
        done(await login(selected.context, { name: selected.server, account, way }));
      }),
  logout: (self, context, done) =>
    withNamedServers(command(self, 'sign out of a server, and delete its tokens'))
      .argument('<name>', 'the name of the server')
      .option('--account <account>', ACCOUNT_HELP)
      .option('--all', 'all accounts that are signed in')
      .action(async (name: string, options: { account?: string; all?: true }) => {
        const { logout } = await import('./logout.ts');
        const { account, all } = options;
        done(await logout(context, { name, account, which: all === true ? 'all' : 'one' }));
      }),
  auth: (self, context, done) => {
    const auth = commandGroup(self, 'show sign-ins; import tokens');
    command(auth.command('status'), 'show who is signed in where, without contacting a server')
      .argument('[name]', 'the name of the server; without it, all remote servers')
      .action(async (name: string | undefined) => {
        const { authStatus } = await import('./auth-status.ts');
        done(await authStatus(context, name));
      });
    command(
      auth.command('import'),
      'import tokens that were obtained elsewhere, for unattended machines',
    )
      .argument('<name>', 'the name of the server')
      .option('--account <account>', ACCOUNT_HELP)
      .option('--file <file>', 'the file with the tokens; without it, they are read from stdin')
      .addHelpText('after', AUTH_IMPORT_HELP)
      // The command itself refuses other words, because no message may repeat a token.
      .allowExcessArguments(true)
      .allowUnknownOption(true)
      .action(
        async (name: string, options: { account?: string; file?: string }, { args }: Command) => {
          const { authImport } = await import('./auth-import.ts');
          const { account, file } = options;
          done(await authImport(context, { name, account, file, hasMore: args.length > 1 }));
        },
      );
  },
};
