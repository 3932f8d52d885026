// Reads all piped input of a command. The command supplies the errors, since only it knows what it expected.

import { codeOf } from '@plugboard/base';
import type { Input } from '../terminal.ts';
import { CancelledError, type UsageError } from '../usage-error.ts';

export interface PipedRefusals {
  readonly tooLong: UsageError;
  readonly notText: UsageError;
}

export async function readPiped(input: Input, refusals: PipedRefusals): Promise<string> {
  try {
    return await input.readAll();
  } catch (thrown) {
    switch (codeOf(thrown)) {
      case 'input-too-long':
        throw refusals.tooLong;
      case 'input-not-text':
        throw refusals.notText;
      case 'input-interrupted':
        throw new CancelledError();
      default:
        throw thrown;
    }
  }
}
