// Checks a user's answers to the questions of an installed bundle, and stores them over older ones. Sensitive
// answers are only stored in the secret store of the caller.

import { err, ok, type Result } from '@plugboard/base';
import {
  ensureFolder,
  type HostEnvironment,
  systemCode,
  writeFileAtomically,
} from '../platform/index.ts';
import { pluginsFolder } from './locate-plugins.ts';
import { readPlugins } from './plugin-sources.ts';
import type { ReadPlugin } from './plugin-source.ts';
import type { Answers } from './bundle/bundle-entry.ts';
import { secretName } from './bundle/plugin-name.ts';
import { absolutePath, type Question } from './bundle/question.ts';
import {
  type AnswerProblem,
  answersFile,
  answersText,
  checkAnswers,
  type CheckedAnswers,
  type GivenAnswers,
  withAnswers,
} from './bundle/stored-answers.ts';

export type ConfigureProblem =
  | AnswerProblem
  | { readonly kind: 'not-installed'; readonly names: readonly string[] }
  | { readonly kind: 'missing-answers'; readonly questions: readonly Question[] }
  | { readonly kind: 'secret-not-kept'; readonly key: string }
  | { readonly kind: 'unwritable'; readonly code: string };

/** Stores answers that must stay secret. */
export interface PluginSecrets {
  set(name: string, value: string): Promise<Result<unknown, unknown>>;
  remove(name: string): Promise<unknown>;
}

interface ConfigureOptions {
  readonly name: string;
  readonly environment: HostEnvironment;
  readonly values: GivenAnswers;
  readonly secrets: PluginSecrets;
}

export async function configurePlugin(
  options: ConfigureOptions,
): Promise<Result<{ readonly kind: 'configured' }, ConfigureProblem>> {
  const { environment, secrets, values } = options;
  const found = await installedPlugin(options.name, environment);
  if (!found.ok) return found;
  const plugin = found.value;
  const checked = checkGiven(plugin, values, environment);
  if (!checked.ok) return checked;
  const kept = await keepAnswers(plugin, { checked: checked.value, environment, secrets });
  return kept.ok ? ok({ kind: 'configured' }) : kept;
}

/** Finds a plugin that the user installed. A plugin of a project cannot be configured or removed. */
export async function installedPlugin(
  name: string,
  environment: HostEnvironment,
): Promise<Result<ReadPlugin, Extract<ConfigureProblem, { kind: 'not-installed' }>>> {
  const plugins = (await readPlugins(environment)).filter(({ source }) => source.from === 'user');
  const plugin = plugins.find(({ source }) => source.plugin === name);
  if (plugin !== undefined) return ok(plugin);
  return err({ kind: 'not-installed', names: plugins.map(({ source }) => source.plugin) });
}

/** Checks the answers, and that no required answer is missing. */
export function checkGiven(
  { questions, missing }: Pick<ReadPlugin, 'questions' | 'missing'>,
  given: GivenAnswers,
  environment: HostEnvironment,
): Result<CheckedAnswers, ConfigureProblem> {
  const checked = checkAnswers(given, questions, (path) => absolutePath(path, environment));
  if (!checked.ok) return checked;
  const { values, sensitive } = checked.value;
  const left = missing.filter(({ name }) => !values.has(name) && !sensitive.has(name));
  return left.length > 0 ? err({ kind: 'missing-answers', questions: left }) : checked;
}

interface AnswersToStore {
  readonly checked: CheckedAnswers;
  readonly environment: HostEnvironment;
  readonly secrets: PluginSecrets;
}

export async function keepAnswers(
  { source, answers }: ReadPlugin,
  { checked, environment, secrets }: AnswersToStore,
): Promise<Result<undefined, ConfigureProblem>> {
  for (const [key, value] of checked.sensitive) {
    const kept = await secrets.set(secretName(source.plugin, key), value);
    if (!kept.ok) return err({ kind: 'secret-not-kept', key });
  }
  const all: Answers = withAnswers(answers, checked);
  if (all.values.size === 0 && all.secrets.size === 0) return ok(undefined);
  const folder = pluginsFolder(environment);
  try {
    await ensureFolder(folder);
    // Other users must not read the answers, sensitive or not.
    const file = answersFile(folder, source.plugin);
    await writeFileAtomically(file, answersText(all), { mode: 0o600 });
    return ok(undefined);
  } catch (thrown) {
    return err({ kind: 'unwritable', code: systemCode(thrown) ?? 'UNKNOWN' });
  }
}
