// Installs a plugin in one step, and removes one with everything that was stored for it.

import { err, ok, type Result } from '@plugboard/base';
import { type HostEnvironment, removeFile, removeFolder } from '../platform/index.ts';
import { type ConfigureProblem, installedPlugin, type PluginSecrets } from './configure-plugin.ts';
import { pluginsFolder } from './locate-plugins.ts';
import { secretName } from './bundle/plugin-name.ts';
import type { Question } from './bundle/question.ts';
import { answersFile } from './bundle/stored-answers.ts';
import {
  type FinishOptions,
  type InstalledPlugin,
  type InstallProblem,
  type StageOptions,
  stagePlugin,
  type StageProblem,
} from './stage-plugin.ts';

export async function installPlugin(
  options: StageOptions & Pick<FinishOptions, 'values' | 'secrets'> & Partial<FinishOptions>,
): Promise<Result<InstalledPlugin, StageProblem | InstallProblem>> {
  const staged = await stagePlugin(options);
  if (!staged.ok) return staged;
  await using plugin = staged.value;
  return await plugin.install({ replace: 'refuse', ...options });
}

/** The questions of a bundle, packed or unpacked, to its user. */
export async function bundleQuestions(
  options: StageOptions,
): Promise<Result<readonly Question[], StageProblem>> {
  const staged = await stagePlugin(options);
  if (!staged.ok) return staged;
  await using plugin = staged.value;
  return ok(plugin.questions);
}

interface RemoveOptions {
  readonly name: string;
  readonly environment: HostEnvironment;
  readonly secrets: PluginSecrets;
}

interface RemovedPlugin {
  readonly kind: 'removed';
  readonly folder: string;
}

type RemoveProblem = Extract<ConfigureProblem, { kind: 'not-installed' | 'unwritable' }>;

export async function removePlugin(
  options: RemoveOptions,
): Promise<Result<RemovedPlugin, RemoveProblem>> {
  const { name, environment, secrets } = options;
  const found = await installedPlugin(name, environment);
  if (!found.ok) return found;
  const { source, answers } = found.value;
  const removed = await removeFolder(source.folder);
  if (!removed.ok) {
    return err({
      kind: 'unwritable',
      code: 'code' in removed.error ? removed.error.code : 'EEXIST',
    });
  }
  const cleared = await removeFile(answersFile(pluginsFolder(environment), name));
  if (!cleared.ok) return cleared;
  for (const key of answers.secrets) await secrets.remove(secretName(name, key));
  return ok({ kind: 'removed', folder: source.folder });
}
