// The commands for resources, prompts, completions and skills: their options and help.

import type { AdHocFlags } from './ad-hoc.ts';
import { COMPLETE_HELP, PROMPT_HELP, READ_HELP, SKILLS_HELP } from '../print/help-text.ts';
import {
  collect,
  command,
  type CommandTable,
  TRUST_HELP,
  withAdHocServer,
  withNamedServers,
} from './command.ts';

const SERVER_HELP = 'the server, if several have one of that name';

interface OwnerFlags extends AdHocFlags {
  readonly server?: string;
}

interface CompleteFlags {
  readonly server?: string;
  readonly with?: readonly string[];
}

export const primitiveCommands: CommandTable = {
  resources: (self, context, done) =>
    withAdHocServer(withNamedServers(command(self, 'list the resources of one server, or of all')))
      .argument('[server]', 'the name of the server')
      .option('--trust-project', TRUST_HELP)
      .action(async (named: string | undefined, flags: AdHocFlags) => {
        const { resources } = await import('./resources.ts');
        const { selectServer } = await import('./ad-hoc.ts');
        const selected = await selectServer(context, flags, named);
        done(await resources(selected.context, selected.server));
      }),
  read: (self, context, done) =>
    withAdHocServer(withNamedServers(command(self, 'read a resource')))
      .argument('<uri>', 'the URI of the resource, or a template followed by its variables')
      .argument('[arguments...]', 'key=text for each variable of a template')
      .option('--server <server>', SERVER_HELP)
      .option('--yes', 'approve reading what a rule asks about, for this run')
      .option('--trust-project', TRUST_HELP)
      .addHelpText('after', READ_HELP)
      .action(async (uri: string, given: string[], flags: OwnerFlags) => {
        const { read } = await import('./read.ts');
        const { selectServer } = await import('./ad-hoc.ts');
        const selected = await selectServer(context, flags, flags.server);
        done(await read(selected.context, { uri, given, server: selected.server }));
      }),
  prompts: (self, context, done) =>
    withAdHocServer(withNamedServers(command(self, 'list the prompts of one server, or of all')))
      .argument('[server]', 'the name of the server')
      .option('--trust-project', TRUST_HELP)
      .action(async (named: string | undefined, flags: AdHocFlags) => {
        const { prompts } = await import('./prompts.ts');
        const { selectServer } = await import('./ad-hoc.ts');
        const selected = await selectServer(context, flags, named);
        done(await prompts(selected.context, selected.server));
      }),
  prompt: (self, context, done) =>
    withAdHocServer(withNamedServers(command(self, 'get a prompt with its arguments filled in')))
      .argument('<prompt>', 'the name of the prompt')
      .argument('[arguments...]', 'key=text or key=@file')
      .option('--server <server>', SERVER_HELP)
      .option('--trust-project', TRUST_HELP)
      .addHelpText('after', PROMPT_HELP)
      .action(async (prompt: string, given: string[], flags: OwnerFlags) => {
        const { getPrompt } = await import('./prompt.ts');
        const { selectServer } = await import('./ad-hoc.ts');
        const selected = await selectServer(context, flags, flags.server);
        done(await getPrompt(selected.context, { prompt, given, server: selected.server }));
      }),
  complete: (self, context, done) =>
    withNamedServers(command(self, 'ask a server to complete an argument'))
      .argument('<of>', 'the name of a prompt, or the template of a resource')
      .argument('<argument>', 'the argument of the prompt, or the variable of the template')
      .argument('[typed]', 'the beginning of the value (default: empty)')
      .option('--with <key=text>', 'an argument that is already known; repeatable', collect)
      .option('--server <server>', SERVER_HELP)
      .option('--trust-project', TRUST_HELP)
      .addHelpText('after', COMPLETE_HELP)
      .action(async (...words: readonly [string, string, string | undefined, CompleteFlags]) => {
        const [target, argument, typed = '', { server, with: settled = [] }] = words;
        const { completeArgument } = await import('./complete-argument.ts');
        done(await completeArgument(context, { target, argument, typed, settled, server }));
      }),
  skills: (self, context, done) =>
    withNamedServers(command(self, 'list the skills of servers, or show one'))
      .argument('[skill]', 'the name of a skill to show')
      .option('--file <path>', 'a file of the skill instead of its SKILL.md')
      .option('--server <server>', SERVER_HELP)
      .option('--trust-project', TRUST_HELP)
      .addHelpText('after', SKILLS_HELP)
      .action(
        async (skill: string | undefined, { file, server }: { file?: string; server?: string }) => {
          const { skills } = await import('./skills.ts');
          done(await skills(context, { skill, file, server }));
        },
      ),
};
