// Removes the rules about one tool from the settings of a scope, leaves the rest of each file unchanged, and reports each
// removed rule.

import {
  EDITABLE_SCOPES,
  type RemovedRule,
  removePermissionRules,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { shortPath } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandConfiguration } from './configured.ts';
import { editError, scopeOf } from './edit.ts';
import type { RuleRemoval } from './rule-change.ts';

export interface RulesToRemove {
  /** The names of one tool: `server/tool`, and its model name if that is known. */
  readonly names: readonly string[];
  readonly change: RuleRemoval;
}

type RemovedFrom = RemovedRule & { readonly file: string };

export async function removeRules(
  context: Context,
  configured: CommandConfiguration,
  wanted: RulesToRemove,
): Promise<readonly RemovedFrom[]> {
  const { environment, configuration } = configured;
  const { names, change } = wanted;
  const [name = ''] = names;
  const removed: RemovedFrom[] = [];
  for (const file of filesWith(configured, wanted)) {
    const { effects } = change;
    const { root: project } = configuration;
    const done = await removePermissionRules({ file, tools: names, effects, project });
    if (!done.ok) throw editError(done.error, { name, file, from: environment });
    removed.push(...done.value.map((rule) => ({ ...rule, file })));
  }
  for (const { effect, rule, file } of context.isJson ? [] : removed) {
    const text = typeof rule === 'string' ? rule : JSON.stringify(rule);
    const from = shortPath(file, environment);
    context.terminal.err.write(`Removed the rule "${effect}": ${text} from ${from}.\n`);
  }
  return removed;
}

/** The files of one scope. If several scopes have such rules, the user must choose one. */
function filesWith(
  { configuration, environment }: CommandConfiguration,
  { names, change }: RulesToRemove,
): ReadonlySet<string> {
  const { effects, scope: askedScope } = change;
  const scopes: readonly string[] =
    askedScope === undefined ? EDITABLE_SCOPES : [scopeOf(askedScope)];
  const { root, permissions } = configuration;
  const found = permissions
    .filter(({ scope }) => scopes.includes(scope))
    .flatMap(({ scope, rules }) => rules.map((rule) => ({ ...rule, scope })))
    .flatMap(({ effect, on, origin, scope, tool = '' }) => {
      const isMeant =
        on.kind === 'calls' && (names.includes(on.tool ?? '') || names.includes(tool));
      if (!isMeant || !effects.includes(effect) || origin.kind !== 'file') return [];
      return on.project === undefined || on.project === root ? [{ scope, file: origin.file }] : [];
    });
  const [first] = found;
  if (first === undefined) {
    throw new UsageError(
      `no rule is about ${names[0] ?? ''} alone${askedScope === undefined ? '' : ` in the scope "${askedScope}"`}`,
      'see which rules there are, and where: plugboard permissions',
    );
  }
  const other = found.find(({ scope }) => scope !== first.scope);
  if (other !== undefined) {
    const [here, there] = [first.file, other.file].map((file) => shortPath(file, environment));
    throw new UsageError(
      `rules about ${names[0] ?? ''} are in ${here ?? ''} and in ${there ?? ''}`,
      `say which are to go: --scope ${first.scope} or --scope ${other.scope}`,
    );
  }
  return new Set(found.map(({ file }) => file));
}
