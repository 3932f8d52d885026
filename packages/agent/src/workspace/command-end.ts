// Describes how a command ended, for a model.

import type { CommandRun, SpawnFailure } from '@plugboard/host/processes';

/** Without `too-large`, since the workspace limits the output itself. */
export type CommandEnd = Exclude<CommandRun, { readonly kind: 'too-large' }>;

export function commandEnd(run: CommandEnd): string {
  switch (run.kind) {
    case 'not-started':
      return `could not be started: ${failureWords(run.failure)}`;
    case 'timeout':
      return `took longer than ${run.ms} ms and was ended`;
    case 'cancelled':
      return 'was ended, since the conversation was left';
    case 'exited': {
      const { code, signal } = run.exit;
      return signal === null ? `exit code ${code}` : `ended by ${signal}`;
    }
    default:
      throw new RangeError(`no such end: ${JSON.stringify(run satisfies never)}`);
  }
}

function failureWords(failure: SpawnFailure): string {
  switch (failure.kind) {
    case 'command-not-found':
      return 'there is no shell on this machine';
    case 'not-executable':
      return 'the shell may not be executed';
    case 'bad-cwd':
      return `${failure.cwd} is no folder to work in`;
    case 'spawn-failed':
      return failure.message;
    default:
      throw new RangeError(`no such failure: ${JSON.stringify(failure satisfies never)}`);
  }
}
