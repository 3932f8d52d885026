// The error for a command that does not exist.

import { closestName } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';

export function unknownCommand(given: string, commands: readonly string[]): UsageError {
  const nearest = closestName(given, commands);
  return new UsageError(
    `there is no command "${given}"`,
    nearest === undefined ? 'see which there are: plugboard --help' : `did you mean "${nearest}"?`,
  );
}
