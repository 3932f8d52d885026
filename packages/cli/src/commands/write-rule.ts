// Writes a rule about one tool into the settings of a scope, leaves the rest of the file unchanged, and reports the file. Asks
// first about a rule that allows a model to run any command.

import { matchesWildcard } from '@plugboard/base';
import {
  addPermissionRule,
  type HostEnvironment,
  permissionTarget,
  settingsFile,
} from '@plugboard/host/configuration';
import { canAsk, type Context } from '../context.ts';
import { shortPath } from '../print/place.ts';
import { shellWord } from '../print/target.ts';
import { visible } from '../print/visible.ts';
import { CancelledError, UsageError } from '../usage-error.ts';
import { isYes } from './ask-about-text.ts';
import { editError, scopeOf } from './edit.ts';
import { reportRuleLeftOut } from './left-out.ts';
import type { RuleWriting } from './rule-change.ts';

export interface RuleToWrite {
  readonly server: string;
  readonly tool: string;
  readonly change: RuleWriting;
  readonly environment: HostEnvironment;
  /** The top of the project. */
  readonly root: string;
}

export async function writeRule(
  context: Context,
  { server, tool, change, environment, root }: RuleToWrite,
): Promise<'written' | 'refused'> {
  const { effect, isHere } = change;
  const scope = scopeOf(change.scope);
  if (effect === 'allow' && scope !== 'user') {
    throw new UsageError(
      `an "allow" in the files of a folder has no effect (--scope ${scope})`,
      'leave --scope out: it then goes into your own settings',
    );
  }
  const name = `${server}/${tool}`;
  const target = permissionTarget(name);
  if (target.kind === 'unclear') {
    throw new UsageError(`this is not a rule: ${target.reason}`, `write it like ${EXAMPLE}`);
  }
  const file = await settingsFile(environment, scope);
  const words = isHere ? 'user, for this project' : SCOPE_WORDS[scope];
  const where = `${shortPath(file, environment)} (${words})`;
  if (effect === 'allow' && isWide(name) && !(await confirmWideRule(context, name, where)))
    return 'refused';
  const rule = isHere ? { tool: name, project: root } : name;
  const written = await addPermissionRule({ file, effect, rule });
  if (!written.ok) throw editError(written.error, { name, file, from: environment });
  if (context.isJson) return 'written';
  context.terminal.err.write(
    written.value.kind === 'added'
      ? `Wrote the rule "${effect}": ${name} into ${where}. To take it back: plugboard permissions ${shellWord(name)} --remove\n`
      : `The rule "${effect}": ${name} is in ${where} already.\n`,
  );
  if (scope !== 'user' || isHere) {
    const again = `plugboard permissions ${shellWord(name)} --${effect} --scope user`;
    await reportRuleLeftOut(context, again, environment);
  }
  return 'written';
}

const EXAMPLE = "plugboard permissions 'workspace/run_command(npm test *)' --allow";

const SCOPE_WORDS = {
  user: 'user, for every project',
  local: 'local, for you in this project',
  project: 'project, for everyone in it',
} as const;

const ANY_COMMAND = ['workspace/run_command', 'mcp__workspace__run_command', 'mcp__workspace'];

/** Whether the rule allows a model to run any command. */
function isWide(name: string): boolean {
  return ANY_COMMAND.some((tool) => matchesWildcard(name, tool));
}

async function confirmWideRule(context: Context, name: string, where: string): Promise<boolean> {
  if (context.answer === 'yes') return true;
  if (!canAsk(context)) {
    throw new UsageError(
      `"allow": ${name} lets a model run any command without asking, in ${where}`,
      `allow some commands: ${EXAMPLE}; or add --yes`,
    );
  }
  const { err, input } = context.terminal;
  err.write(`This rule lets a model run any command without asking: "allow": ${visible(name)}\n`);
  const answer = await input.ask(`Write it into ${where}? [y/N] `);
  if (answer === undefined) throw new CancelledError();
  return isYes(answer);
}
