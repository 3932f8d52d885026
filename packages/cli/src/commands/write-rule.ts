// Writes a rule about one tool into the settings of a scope, leaving the rest of the file as it is, and says where.

import {
  addPermissionRule,
  type HostEnvironment,
  settingsFile,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { shortPath } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';
import { editError, scopeOf } from './edit.ts';
import type { RuleWriting } from './rule-wish.ts';

export interface RuleToWrite {
  readonly server: string;
  readonly tool: string;
  readonly wish: RuleWriting;
  readonly environment: HostEnvironment;
}

export async function writeRule(
  context: Context,
  { server, tool, wish, environment }: RuleToWrite,
): Promise<void> {
  const { effect } = wish;
  const scope = scopeOf(wish.scope);
  if (effect === 'allow' && scope !== 'user') {
    throw new UsageError(
      `an "allow" in the files of a folder has no effect (--scope ${scope})`,
      'leave --scope out: it then goes into your own settings',
    );
  }
  const name = `${server}/${tool}`;
  const file = await settingsFile(environment, scope);
  const written = await addPermissionRule({ file, effect, rule: name });
  if (!written.ok) throw editError(written.error, { name, file, from: environment });
  if (context.isJson) return;
  const shown = shortPath(file, environment);
  context.terminal.err.write(
    written.value.kind === 'added'
      ? `Wrote the rule "${effect}": ${name} into ${shown}. To take it back: plugboard permissions ${name} --remove\n`
      : `The rule "${effect}": ${name} is in ${shown} already.\n`,
  );
}
