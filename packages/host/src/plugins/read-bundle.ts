// Reads the folder of an unpacked bundle, as a source of one server. The user's answers come from a file
// beside the user's plugins, but never for a bundle of a project: it could have the name of one of the user's
// bundles to get its answers.

import { basename } from 'node:path';
import type { Diagnostic, FieldPath, WrittenServer } from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { type LocatedJson, readLocatedJson } from './located-json.ts';
import { pluginsFolder } from './locate-plugins.ts';
import { NO_DETAILS, placed, type PluginSource, type ReadPlugin } from './plugin-source.ts';
import {
  type BundleEntry,
  bundleEntry,
  NO_ANSWERS,
  type MissingAnswerMode,
} from './bundle/bundle-entry.ts';
import { type BundleManifest, readManifest } from './bundle/bundle-manifest.ts';
import { DOLLAR } from './bundle/fill-in.ts';
import { plainName, pluginServerName } from './bundle/plugin-name.ts';
import { answersFile, readAnswers, type StoredAnswers } from './bundle/stored-answers.ts';

export interface BundleFolder {
  readonly manifest: LocatedJson;
  readonly file: string;
  /** The folder of the bundle, or its future folder. */
  readonly folder: string;
  readonly from: PluginSource['from'];
  readonly environment: HostEnvironment;
  /** `stored`: the answers in the file count. `none`: the bundle has no answers yet. */
  readonly answers: 'stored' | 'none';
  readonly unanswered: MissingAnswerMode;
}

export async function readBundle(bundle: BundleFolder): Promise<ReadPlugin> {
  const { folder, environment } = bundle;
  const { name, manifest, findings } = readManifest(bundle.manifest.value, environment.platform);
  const plugin = name ?? plainName(basename(folder)) ?? 'plugin';
  if (manifest === undefined) {
    const diagnostics = findings.map((finding) => placed(finding, bundle.manifest));
    const source = bundleSource(bundle, { plugin, servers: [], diagnostics });
    return { ...NO_DETAILS, kind: 'bundle', source };
  }
  const stored = await storedAnswers(bundle, manifest);
  const made = bundleEntry(manifest, stored.answers, {
    folder,
    home: environment.home,
    platform: environment.platform,
    unanswered: bundle.unanswered,
  });
  const server = writtenServer(bundle, manifest, made);
  const { version, description, questions } = manifest;
  return {
    kind: 'bundle',
    version,
    description,
    questions,
    missing: made.missing,
    answers: stored.answers,
    source: bundleSource(bundle, { plugin, servers: [server], diagnostics: stored.diagnostics }),
  };
}

function bundleSource(
  { file, folder, from }: BundleFolder,
  found: Pick<PluginSource, 'plugin' | 'servers' | 'diagnostics'>,
): PluginSource {
  const { plugin, servers, diagnostics } = found;
  const variables = { [DOLLAR.name]: DOLLAR.value };
  return { plugin, file, folder, from, servers, diagnostics, variables };
}

function writtenServer(
  { manifest: json }: BundleFolder,
  { name }: BundleManifest,
  { entry, pathOf, missing, findings }: BundleEntry,
): WrittenServer {
  const server = pluginServerName(name, name);
  const places = {
    keyAt: (path: FieldPath) =>
      path.length === 0 ? json.keyAt(['server']) : json.keyAt(pathOf(path)),
    valueAt: (path: FieldPath) => json.valueAt(pathOf(path)),
  };
  const [finding] = findings;
  const [question] = missing;
  if (finding !== undefined) {
    return { name: server, value: entry, ...places, broken: { ...placed(finding, json), server } };
  }
  if (question === undefined) return { name: server, value: entry, ...places };
  const keys = missing.map((each) => each.name);
  const broken: Diagnostic = {
    severity: 'error',
    code: 'plugin-not-configured',
    message: `"${server}" needs to know ${keys.map((key) => `"${key}"`).join(', ')}.`,
    suggestion: `Run: plugboard plugin configure ${name}`,
    ...json.keyAt(['user_config', question.name]),
    server,
  };
  return { name: server, value: entry, ...places, broken };
}

async function storedAnswers(
  { from, environment, answers: mode }: BundleFolder,
  { name, questions }: BundleManifest,
): Promise<Pick<StoredAnswers, 'answers'> & { readonly diagnostics: readonly Diagnostic[] }> {
  if (from === 'project' || mode === 'none') return { answers: NO_ANSWERS, diagnostics: [] };
  const json = await readLocatedJson(answersFile(pluginsFolder(environment), name));
  if (json.kind === 'missing') return { answers: NO_ANSWERS, diagnostics: [] };
  if (json.kind === 'invalid') return { answers: NO_ANSWERS, diagnostics: [json.diagnostic] };
  const { answers, wrong } = readAnswers(json.value, questions);
  const diagnostics = wrong.map(({ path, key, words }): Diagnostic => ({
    severity: 'error',
    code: 'bad-value',
    message: `"${key}" ${words}.`,
    suggestion: `Run: plugboard plugin configure ${name} --set ${key}=VALUE`,
    ...json.valueAt(path),
  }));
  return { answers, diagnostics };
}
