// The actions on plugins, loaded when one is used: most commands only read what is configured.

import type { Result } from '@plugboard/base';
import type { ConfigureOptions, ConfigureProblem } from './configure-plugin.ts';
import type { RemovedPlugin, RemoveOptions, RemoveProblem } from './install-plugin.ts';
import type { Question } from './bundle/question.ts';
import type {
  FinishOptions,
  InstalledPlugin,
  InstallProblem,
  StagedPlugin,
  StageOptions,
  StageProblem,
} from './stage-plugin.ts';

/** Brings a plugin near, to be looked at and then installed or dropped. Dispose of it either way. */
export async function stagePlugin(
  options: StageOptions,
): Promise<Result<StagedPlugin, StageProblem>> {
  return (await import('./stage-plugin.ts')).stagePlugin(options);
}

export async function installPlugin(
  options: StageOptions & Pick<FinishOptions, 'values' | 'secrets'> & Partial<FinishOptions>,
): Promise<Result<InstalledPlugin, StageProblem | InstallProblem>> {
  return (await import('./install-plugin.ts')).installPlugin(options);
}

export async function bundleQuestions(
  options: StageOptions,
): Promise<Result<readonly Question[], StageProblem>> {
  return (await import('./install-plugin.ts')).bundleQuestions(options);
}

export async function configurePlugin(
  options: ConfigureOptions,
): Promise<Result<{ readonly kind: 'configured' }, ConfigureProblem>> {
  return (await import('./configure-plugin.ts')).configurePlugin(options);
}

export async function removePlugin(
  options: RemoveOptions,
): Promise<Result<RemovedPlugin, RemoveProblem>> {
  return (await import('./install-plugin.ts')).removePlugin(options);
}
