// The commands that have a model work: a conversation, and one turn for scripts.

import type { AgentMode } from '@plugboard/agent';
import type { Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';
import { allowedRules } from './allowed-rules.ts';
import {
  collect,
  command,
  type CommandLinePorts,
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

export function addAgentCommands(
  program: Command,
  context: Context,
  { done }: CommandLinePorts,
): void {
  const chatting = agentCommand(program, 'chat', 'talk with a model that works with your servers')
    .option('--resume [id]', 'go on with this conversation; without an id, choose one')
    .action(async (flags: AgentFlags) => {
      const { chat } = await import('./chat.ts');
      done(await chat(context, wishOf(flags)));
    });
  jsonOf(chatting)?.hideHelp();
  const running = agentCommand(program, 'run', 'have a model do one thing, for scripts')
    .argument('[prompt]', 'what is to be done; left out, it is piped in')
    .option('--resume <id>', 'go on with this conversation')
    .option('--max-steps <number>', 'how often the model may go on')
    .option('--yes', 'say yes to everything that you would be asked about, this once')
    .action(async (prompt: string | undefined, flags: AgentFlags) => {
      const { run } = await import('./run.ts');
      const steps = numberOf('--max-steps', flags.maxSteps);
      done(await run(context, { ...wishOf(flags), prompt, steps }));
    });
  command(program, 'sessions', 'list the conversations of this folder')
    .option('--all', 'of all folders')
    .option('--search <words>', 'only those whose title or folder has these words in it')
    .action(async (flags: { readonly all?: true; readonly search?: string }) => {
      const { sessions } = await import('./sessions.ts');
      const where = flags.all === true ? 'everywhere' : 'here';
      done(await sessions(context, { where, search: flags.search }));
    });
  // Events are many documents, so that what happens can be followed.
  const json = jsonOf(running);
  if (json !== undefined) json.description = 'print what happens as JSON, one event a line';
}

function jsonOf({ options }: Command): Option | undefined {
  return options.find(({ long }) => long === '--json');
}

function agentCommand(program: Command, name: string, description: string): Command {
  return withNamedServers(command(program, name, description))
    .option('--model <name>', 'which model, as provider/name')
    .option('--continue', 'go on with the last conversation of this folder')
    .option('--budget <dollars>', 'stop when the model has cost so much')
    .option('--tool-budget <tokens>', TOOL_BUDGET_HELP)
    .option('--mode <mode>', 'ask, accept-edits (files of this folder), or plan (only reads)')
    .option(
      '--allow <rule>',
      'let calls run that this rule is about, this once; repeatable',
      collect,
    )
    .option('--trust-project', TRUST_HELP);
}

function wishOf(flags: AgentFlags) {
  return {
    model: flags.model,
    continues: flags.continue === true,
    resume: flags.resume,
    budget: numberOf('--budget', flags.budget),
    toolBudget: flags.toolBudget,
    allow: allowedRules(flags.allow),
    mode: modeFlag(flags.mode),
  };
}

function modeFlag(given: string | undefined): AgentMode | undefined {
  if (given === undefined) return undefined;
  const mode = MODES.find((one) => one === given);
  if (mode !== undefined) return mode;
  throw new UsageError(`there is no mode "${given}"`, `take one of ${MODES.join(', ')}`);
}

const MODES: readonly AgentMode[] = ['ask', 'accept-edits', 'plan'];

function numberOf(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${flag} takes a number above 0, not "${given}"`, `write ${flag} 5`);
}
