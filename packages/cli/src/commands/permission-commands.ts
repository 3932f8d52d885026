// `plugboard permissions` and `plugboard labels`: their options and help.

import { LABELS_HELP, PERMISSIONS_HELP } from '../print/help-text.ts';
import { command, type CommandTable, TRUST_SETTINGS_HELP } from './command.ts';
import { type RuleFlags, ruleChange } from './rule-change.ts';

export const permissionCommands: CommandTable = {
  permissions: (self, context, done) =>
    command(self, 'show or change the rules about calls, or test one call')
      .argument('[tool]', 'server/tool, or the name that models see')
      .argument('[arguments...]', 'the arguments of the call, as "plugboard call" takes them')
      .option('--deny', 'write a rule: never call this tool')
      .option('--ask', 'write a rule: always ask before it is called')
      .option('--allow', 'write a rule: call it without asking')
      .option(
        '--remove',
        'remove the rules about this tool; with --deny, --ask or --allow, only those',
      )
      .option('--here', 'with --allow: only in this project')
      .option('--yes', 'write a rule that allows any command, without asking')
      .option('-s, --scope <scope>', 'where to write or remove the rule: local, project or user')
      .option('--trust-project', TRUST_SETTINGS_HELP)
      .addHelpText('after', PERMISSIONS_HELP)
      .action(async (tool: string | undefined, given: string[], flags: RuleFlags) => {
        const change = ruleChange(flags);
        const { permissions } = await import('./permissions.ts');
        done(
          await permissions(context, { tool, given, ...(change === undefined ? {} : { change }) }),
        );
      }),
  labels: (self, context, done) =>
    command(self, 'show or change the labels that say what tools do with data')
      .argument('[about]', 'a server, or server/tool')
      .option('--set <labels>', 'private, foreign, out (separated by commas), or none')
      .option('--reset', 'remove your own labels')
      .option('--trust-project', TRUST_SETTINGS_HELP)
      .addHelpText('after', LABELS_HELP)
      .action(async (about: string | undefined, flags: { set?: string; reset?: true }) => {
        const { labels } = await import('./labels.ts');
        done(await labels(context, { about, set: flags.set, reset: flags.reset === true }));
      }),
};
