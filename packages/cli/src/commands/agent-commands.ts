// The commands that have a model work: a conversation, and one turn for scripts.

import type { Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';
import {
  command,
  type CommandLinePorts,
  TOOL_BUDGET_HELP,
  TRUST_HELP,
  withNamedServers,
} from './command.ts';

interface AgentFlags {
  readonly model?: string;
  readonly continue?: true;
  readonly resume?: string;
  readonly budget?: string;
  readonly toolBudget?: string;
  readonly maxSteps?: string;
}

export function addAgentCommands(
  program: Command,
  context: Context,
  { done }: CommandLinePorts,
): void {
  const chatting = agentCommand(
    program,
    'chat',
    'talk with a model that works with your servers',
  ).action(async (flags: AgentFlags) => {
    const { chat } = await import('./chat.ts');
    done(await chat(context, wishOf(flags)));
  });
  jsonOf(chatting)?.hideHelp();
  const running = agentCommand(program, 'run', 'have a model do one thing, for scripts')
    .argument('[prompt]', 'what is to be done; left out, it is piped in')
    .option('--max-steps <number>', 'how often the model may go on')
    .option('--yes', 'say yes to everything that somebody would be asked about, this once')
    .action(async (prompt: string | undefined, flags: AgentFlags) => {
      const { run } = await import('./run.ts');
      const steps = numberOf('--max-steps', flags.maxSteps);
      done(await run(context, { ...wishOf(flags), prompt, steps }));
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
    .option('--resume <id>', 'go on with this conversation')
    .option('--budget <dollars>', 'stop when the model has cost so much')
    .option('--tool-budget <tokens>', TOOL_BUDGET_HELP)
    .option('--trust-project', TRUST_HELP);
}

function wishOf(flags: AgentFlags) {
  return {
    model: flags.model,
    continues: flags.continue === true,
    resume: flags.resume,
    budget: numberOf('--budget', flags.budget),
    toolBudget: flags.toolBudget,
  };
}

function numberOf(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${flag} takes a number above 0, not "${given}"`, `write ${flag} 5`);
}
