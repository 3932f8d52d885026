// Stages a plugin: copies or unpacks it into a hidden folder beside the installed plugins, so that exactly
// what the user approved is installed. If the installation is cancelled, the folder is removed.

import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { err, ok, type Result } from '@plugboard/base';
import type { Diagnostic } from '../config/index.ts';
import {
  copyFolder,
  type CopyProblem,
  type HostEnvironment,
  isFolder,
  moveFolder,
  removeFile,
  removeFolder,
  unpackZip,
  type ZipProblem,
} from '../platform/index.ts';
import {
  checkGiven,
  type ConfigureProblem,
  keepAnswers,
  type PluginSecrets,
} from './configure-plugin.ts';
import { isBundle, pluginsFolder } from './locate-plugins.ts';
import { type PluginServer, pluginServer } from './plugin-server.ts';
import { readPlugins } from './plugin-sources.ts';
import type { ReadPlugin } from './plugin-source.ts';
import type { Question } from './bundle/question.ts';
import { answersFile, type GivenAnswers } from './bundle/stored-answers.ts';
import { readPlugin } from './read-plugin.ts';

export type StageProblem =
  | CopyProblem
  | ZipProblem
  | { readonly kind: 'not-a-plugin' }
  | { readonly kind: 'invalid-plugin'; readonly diagnostics: readonly Diagnostic[] };

export type InstallProblem = ConfigureProblem | { readonly kind: 'exists' };

export interface InstalledPlugin {
  readonly kind: 'installed' | 'replaced';
  readonly name: string;
  readonly folder: string;
  readonly servers: readonly PluginServer[];
}

export interface StageOptions {
  /** A folder, or a `.mcpb` or `.dxt` file. */
  readonly source: string;
  readonly environment: HostEnvironment;
}

export interface FinishOptions {
  readonly values: GivenAnswers;
  readonly secrets: PluginSecrets;
  /** What to do if a plugin of that name is installed. */
  readonly replace: 'refuse' | 'overwrite';
}

export async function stagePlugin(
  options: StageOptions,
): Promise<Result<StagedPlugin, StageProblem>> {
  const { environment } = options;
  const source = resolve(environment.cwd, options.source);
  const folder = pluginsFolder(environment);
  const draft = join(folder, `.staged-${randomBytes(8).toString('hex')}`);
  const copied = await copyPlugin(source, draft);
  if (!copied.ok) return copied;
  const place = { folder: draft, shownAs: source, from: 'user', environment } as const;
  const { plugin: name } = (await readPlugin(place)).source;
  const target = join(folder, name);
  const older = await olderPlugin(name, environment);
  const plugin = await readPlugin({
    ...place,
    target,
    unanswered: 'show',
    // Answers that remain of a removed plugin must not reach another plugin of that name.
    ...(older === undefined ? { answers: 'none' } : {}),
  });
  const problems = plugin.source.diagnostics.filter(({ severity }) => severity === 'error');
  const broken = plugin.source.servers.flatMap((server) => server.broken ?? []);
  const errors = broken.filter(({ code }) => code !== 'plugin-not-configured');
  const diagnostics = [...problems, ...errors];
  if (diagnostics.length > 0) {
    await removeFolder(draft);
    return err({ kind: 'invalid-plugin', diagnostics });
  }
  return ok(new StagedPlugin({ plugin, draft, target, environment }));
}

async function olderPlugin(
  name: string,
  environment: HostEnvironment,
): Promise<ReadPlugin | undefined> {
  const wanted = name.toLowerCase();
  const isOlder = ({ source }: ReadPlugin): boolean =>
    source.from === 'user' && source.plugin.toLowerCase() === wanted;
  return (await readPlugins(environment)).find(isOlder);
}

async function copyPlugin(
  source: string,
  draft: string,
): Promise<Result<undefined, CopyProblem | ZipProblem | { readonly kind: 'not-a-plugin' }>> {
  // The history of a clone does not belong to the plugin.
  if (await isFolder(source)) return copyFolder({ source, target: draft, except: ['.git'] });
  return isBundle(source)
    ? unpackZip({ file: source, target: draft })
    : err({ kind: 'not-a-plugin' });
}

interface PluginStage {
  readonly plugin: ReadPlugin;
  readonly draft: string;
  readonly target: string;
  readonly environment: HostEnvironment;
}

export class StagedPlugin implements AsyncDisposable {
  readonly #stage: PluginStage;
  #isGone = false;

  constructor(stage: PluginStage) {
    this.#stage = stage;
  }

  get name(): string {
    return this.#stage.plugin.source.plugin;
  }

  get version(): string | undefined {
    return this.#stage.plugin.version;
  }

  get description(): string | undefined {
    return this.#stage.plugin.description;
  }

  /** The servers that it would add. An unanswered question shows as `${user_config.KEY}`. */
  get servers(): readonly PluginServer[] {
    return this.#stage.plugin.source.servers.map(pluginServer);
  }

  get questions(): readonly Question[] {
    return this.#stage.plugin.questions;
  }

  /** The questions that must be answered. */
  get missing(): readonly Question[] {
    return this.#stage.plugin.missing;
  }

  async install(options: FinishOptions): Promise<Result<InstalledPlugin, InstallProblem>> {
    const { plugin, draft, target, environment } = this.#stage;
    const older = await olderPlugin(this.name, environment);
    if (older !== undefined && options.replace === 'refuse') return err({ kind: 'exists' });
    const checked = checkGiven(plugin, options.values, environment);
    if (!checked.ok) return checked;
    const { secrets } = options;
    if (older === undefined) {
      const cleared = await removeFile(answersFile(pluginsFolder(environment), this.name));
      if (!cleared.ok) return cleared;
    }
    const kept = await keepAnswers(plugin, { checked: checked.value, environment, secrets });
    if (!kept.ok) return kept;
    if (older !== undefined) {
      const removed = await removeFolder(older.source.folder);
      if (!removed.ok) return removed;
    }
    const moved = await moveFolder(draft, target);
    if (!moved.ok) return moved;
    this.#isGone = true;
    const installed = await readPlugin({ folder: target, from: 'user', environment });
    return ok({
      kind: older === undefined ? 'installed' : 'replaced',
      name: this.name,
      folder: target,
      servers: installed.source.servers.map(pluginServer),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isGone) return;
    this.#isGone = true;
    await removeFolder(this.#stage.draft);
  }
}
