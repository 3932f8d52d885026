// `plugboard completion SHELL`: prints the script that lets a shell complete the commands.

import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { completionScript, SHELLS } from '../print/completion-scripts.ts';
import { printJson } from '../print/json.ts';
import { UsageError } from '../usage-error.ts';

export function completion(context: Context, given: string): ExitCode {
  const shell = SHELLS.find((candidate) => candidate === given);
  if (shell === undefined) {
    throw new UsageError(
      `there is no completion for the shell "${given}"`,
      `use one of: ${SHELLS.join(', ')}`,
    );
  }
  const script = completionScript(shell);
  if (context.isJson) printJson(context, { shell, script });
  else context.terminal.out.write(script);
  return EXIT.ok;
}
