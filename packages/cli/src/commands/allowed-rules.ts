// Validates the rules of `--allow`, which allow calls for this run. They are stronger than the user's own settings, except
// for denials.

import { permissionTarget } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';

export function allowedRules(given: readonly string[] = []): readonly string[] {
  for (const rule of given) {
    const target = permissionTarget(rule);
    const isName = /^(?:mcp__.|[^/\s(]+\/.)/u.test(rule);
    if (target.kind !== 'unclear' && isName) continue;
    throw new UsageError(
      `--allow takes a rule, not "${rule}"${target.kind === 'unclear' ? `: ${target.reason}` : ''}`,
      "write it like --allow 'workspace/run_command(npm test *)' or --allow github/get_issue",
    );
  }
  return given;
}
