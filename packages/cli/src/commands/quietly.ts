// Runs a command inside the chat: returns its output, or the error, instead of printing it.

import { err, messageOf, ok, type Result } from '@plugboard/base';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';

interface CommandError {
  readonly message: string;
  readonly fix?: string | undefined;
}

/** `columns` is the maximum width of a table. */
export async function quietly(
  context: Context,
  columns: number,
  work: (quiet: Context) => Promise<unknown>,
): Promise<Result<string, CommandError>> {
  const words: string[] = [];
  const output = {
    isTty: false,
    hasColour: false,
    columns,
    write: (text: string | Uint8Array) => void words.push(String(text)),
  };
  const terminal = { ...context.terminal, out: output, err: output };
  try {
    await work({ ...context, isJson: false, terminal });
    return ok(words.join('').trimEnd());
  } catch (thrown) {
    const fix = thrown instanceof UsageError ? { fix: thrown.fix } : {};
    return err({ message: messageOf(thrown), ...fix });
  }
}
