// The commands that edit configuration beside `add` and `remove`.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { ADD_JSON_HELP } from '../print/help-text.ts';
import { command, type CommandLinePorts } from './command.ts';

const SCOPE = '-s, --scope <scope>';

export function addEditCommands(
  program: Command,
  context: Context,
  { done }: CommandLinePorts,
): void {
  command(program, 'add-json', 'add a server from its entry as JSON, the way pages show it')
    .argument('<name>', 'a name for it: letters, digits, - and _')
    .argument('<json>', 'its entry, or - to read it from stdin')
    .option(SCOPE, 'whose server it is: local, project or user', 'local')
    .option('--force', 'replace a server of that name')
    .addHelpText('after', ADD_JSON_HELP)
    .action(async (name: string, json: string, options: { scope: string; force?: true }) => {
      const { addJson } = await import('./add-json.ts');
      const replace = options.force === true ? 'overwrite' : 'refuse';
      done(await addJson(context, { name, json, scope: options.scope, replace }));
    });
  for (const [name, to, description] of SWITCHES) {
    command(program, name, description)
      .argument('<name>', 'the name of the server')
      .option(SCOPE, 'for whom: local, project or user (local unless given)')
      .action(async (server: string, { scope }: { scope?: string }) => {
        const { switchServer } = await import('./switch-server.ts');
        done(await switchServer(context, { name: server, to, scope }));
      });
  }
}

const SWITCHES = [
  ['enable', 'enabled', 'use a server again that was disabled'],
  ['disable', 'disabled', 'keep a server configured without using it'],
] as const;
