// `plugboard config …`: commands about the configuration as a whole.

import { command, commandGroup, type CommandTable } from './command.ts';

export const configCommands: CommandTable = {
  config: (self, context, done) => {
    const config = commandGroup(self, 'show where the configuration is, and its schema');
    command(config.command('path'), 'list the files that Plugboard looks for, strongest first')
      .option(
        '-s, --scope <scope>',
        'only the file that this scope is written to: local, project or user',
      )
      .action(async ({ scope }: { scope?: string }) => {
        const { configPath } = await import('./config-path.ts');
        done(await configPath(context, scope));
      });
    command(config.command('schema'), 'print the JSON Schema of settings, for editors')
      .option('--mcp-json', 'the schema of .mcp.json, which may contain only servers')
      .action(async (options: { mcpJson?: true }) => {
        const { configSchema } = await import('./config-schema.ts');
        done(configSchema(context, options.mcpJson === true ? 'mcp-json' : 'settings'));
      });
  },
};
