// `plugboard chat`, `run` and `sessions`: their options and help.

import type { Command } from 'commander';
import { UsageError } from '../usage-error.ts';
import { allowedRules } from './allowed-rules.ts';
import {
  collect,
  command,
  type CommandTable,
  jsonOption,
  TOOL_BUDGET_HELP,
  TRUST_HELP,
  withNamedServers,
} from './command.ts';

interface AgentFlags {
  readonly model?: string;
  readonly continue?: true;
  readonly resume?: string | true;
  readonly budget?: string;
  readonly toolBudget?: string;
  readonly maxSteps?: string;
  readonly allow?: readonly string[];
  readonly mode?: string;
}

export const agentCommands: CommandTable = {
  chat: (self, context, done) => {
    const chatting = agentCommand(self, 'talk with a model that works with your servers')
      .option('--resume [id]', 'continue this conversation; without an id, choose one')
      .action(async (flags: AgentFlags) => {
        const { chat } = await import('./chat.ts');
        done(await chat(context, requestOf(flags)));
      });
    jsonOption(chatting)?.hideHelp();
  },
  run: (self, context, done) => {
    const running = agentCommand(self, 'let a model do one task, for scripts')
      .argument('[prompt]', 'the task; read from stdin if you leave it out')
      .option('--resume <id>', 'continue this conversation')
      .option('--max-steps <number>', 'the maximum number of steps (requests to the model)')
      .option('--yes', 'approve everything that the chat would ask about, for this run')
      .action(async (prompt: string | undefined, flags: AgentFlags) => {
        const { run } = await import('./run.ts');
        const steps = numberOf('--max-steps', flags.maxSteps);
        done(await run(context, { ...requestOf(flags), prompt, steps }));
      });
    // It prints events, so that a script can follow the turn.
    const json = jsonOption(running);
    if (json !== undefined) json.description = 'print JSON, one event per line';
  },
  sessions: (self, context, done) =>
    command(self, 'list the conversations in this folder')
      .option('--all', 'list the conversations in all folders')
      .option('--search <words>', 'only those with these words in the title or the folder')
      .action(async (flags: { readonly all?: true; readonly search?: string }) => {
        const { sessions } = await import('./sessions.ts');
        const where = flags.all === true ? 'everywhere' : 'here';
        done(await sessions(context, { where, search: flags.search }));
      }),
};

function agentCommand(self: Command, description: string): Command {
  return withNamedServers(command(self, description))
    .option('--model <name>', 'the model, as provider/name')
    .option('--continue', 'continue the last conversation in this folder')
    .option('--budget <dollars>', 'stop once the model has cost this much')
    .option('--tool-budget <tokens>', TOOL_BUDGET_HELP)
    .option('--mode <mode>', 'ask (default), accept-edits (in this folder) or plan (read only)')
    .option('--allow <rule>', 'allow calls that match this rule, for this run; repeatable', collect)
    .option('--trust-project', TRUST_HELP);
}

function requestOf(flags: AgentFlags) {
  return {
    model: flags.model,
    continues: flags.continue === true,
    resume: flags.resume,
    budget: numberOf('--budget', flags.budget),
    toolBudget: flags.toolBudget,
    allow: allowedRules(flags.allow),
    mode: flags.mode,
  };
}

function numberOf(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${flag} takes a number above 0, not "${given}"`, `write ${flag} 5`);
}
