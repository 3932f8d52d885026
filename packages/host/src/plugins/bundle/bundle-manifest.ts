// Reads the manifest of a bundle (`.mcpb`, formerly `.dxt`): what it runs on this platform, and its
// questions. Pure; lenient about descriptions, strict about what would run.
// https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md

import { isObject } from '@plugboard/base';
import type { FieldPath, Finding } from '../../config/index.ts';
import { manifestFinding } from './manifest-finding.ts';
import { plainName } from './plugin-name.ts';
import { type Question, readQuestions } from './question.ts';

export interface BundleManifest {
  readonly name: string;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly run: BundleRun;
  readonly questions: readonly Question[];
}

/** Variables as the author wrote them. */
export interface BundleRun {
  readonly type: (typeof SERVER_TYPES)[number];
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The paths of these fields in the manifest. */
  readonly at: {
    readonly command: FieldPath;
    readonly args: FieldPath;
    readonly env: FieldPath;
  };
}

const SERVER_TYPES = ['node', 'python', 'binary', 'uv'] as const;

export interface ReadManifest {
  /** Also known for an invalid manifest that has a name. */
  readonly name: string | undefined;
  readonly manifest: BundleManifest | undefined;
  readonly findings: readonly Finding[];
}

export function readManifest(value: unknown, platform: NodeJS.Platform): ReadManifest {
  if (!isObject(value)) {
    const finding = manifestFinding('wrong-type', [], 'A manifest must be an object.');
    return { name: undefined, manifest: undefined, findings: [finding] };
  }
  const name = plainName(value['name']);
  const { questions, findings } = readQuestions(value['user_config']);
  const run = readRun(value['server'], platform);
  const all = [
    ...(isVersioned(value) ? [] : [NO_VERSION]),
    ...(name === undefined ? [NO_NAME] : []),
    ...compatibilityFindings(value['compatibility'], platform),
    ...(Array.isArray(run) ? run : []),
    ...findings,
  ];
  if (all.length > 0 || name === undefined || Array.isArray(run)) {
    return { name, manifest: undefined, findings: all };
  }
  const { version, description } = value;
  return {
    name,
    manifest: {
      name,
      version: typeof version === 'string' ? version : undefined,
      description: typeof description === 'string' ? description : undefined,
      run,
      questions,
    },
    findings: [],
  };
}

const NO_VERSION = manifestFinding(
  'plugin-manifest',
  [],
  'This is not the manifest of a bundle: it has no "manifest_version".',
);
const NO_NAME = manifestFinding(
  'bad-name',
  ['name'],
  'The bundle needs a "name" with letters or digits.',
);

function isVersioned(value: Record<string, unknown>): boolean {
  return ['manifest_version', 'dxt_version'].some((key) => typeof value[key] === 'string');
}

function compatibilityFindings(value: unknown, platform: NodeJS.Platform): readonly Finding[] {
  const platforms = isObject(value) ? value['platforms'] : undefined;
  if (!Array.isArray(platforms) || platforms.includes(platform)) return [];
  return [
    {
      severity: 'error',
      code: 'plugin-platform',
      path: ['compatibility', 'platforms'],
      on: 'value',
      message: `The bundle does not run on this system (${platform}).`,
      suggestion: 'Use it on one of the systems that it names, or remove it.',
    },
  ];
}

type ReadRun = BundleRun | Finding[];

function readRun(server: unknown, platform: NodeJS.Platform): ReadRun {
  const path = ['server'];
  if (!isObject(server))
    return [manifestFinding('wrong-type', path, '"server" must be an object.')];
  const type = SERVER_TYPES.find((known) => known === server['type']);
  if (type === undefined) {
    const words = `"server.type" must be one of: ${SERVER_TYPES.join(', ')}.`;
    return [manifestFinding('bad-value', ['server', 'type'], words)];
  }
  const config = server['mcp_config'];
  if (config === undefined && type === 'uv') return uvRun(server['entry_point']);
  if (!isObject(config)) {
    const words = '"server.mcp_config" must be an object.';
    return [manifestFinding('wrong-type', ['server', 'mcp_config'], words)];
  }
  return configuredRun(type, config, platform);
}

/** The host chooses the program that runs such a server. https://docs.astral.sh/uv/ */
function uvRun(entryPoint: unknown): ReadRun {
  const at: FieldPath = ['server', 'entry_point'];
  const steps = typeof entryPoint === 'string' ? entryPoint.split(/[\\/]/) : [];
  const isInside = steps.length > 0 && steps.every((step) => step !== '' && step !== '..');
  if (typeof entryPoint !== 'string' || !isInside || entryPoint.includes(':')) {
    const words = '"server.entry_point" must be a path in the bundle.';
    return [manifestFinding('bad-value', at, words)];
  }
  const args = ['run', '--directory', '${__dirname}', entryPoint];
  return { type: 'uv', command: 'uv', args, env: {}, at: { command: at, args: at, env: at } };
}

function configuredRun(
  type: BundleRun['type'],
  config: Record<string, unknown>,
  platform: NodeJS.Platform,
): ReadRun {
  const base: FieldPath = ['server', 'mcp_config'];
  const overrides = config['platform_overrides'];
  const own = isObject(overrides) && Object.hasOwn(overrides, platform) && overrides[platform];
  const override = isObject(own) ? own : {};
  const pick = (field: 'command' | 'args' | 'env') => {
    const isOver = override[field] !== undefined;
    const at = isOver ? [...base, 'platform_overrides', platform, field] : [...base, field];
    return { at, value: isOver ? override[field] : config[field] };
  };
  const [command, args, env] = [pick('command'), pick('args'), pick('env')];
  const findings = [
    ...(isText(command.value) && command.value.trim() !== ''
      ? []
      : [manifestFinding('wrong-type', command.at, '"command" must be text, and not empty.')]),
    ...(args.value === undefined || isListOfText(args.value)
      ? []
      : [manifestFinding('wrong-type', args.at, '"args" must be a list of texts.')]),
    ...(env.value === undefined || isTexts(env.value)
      ? []
      : [manifestFinding('wrong-type', env.at, '"env" must be an object of texts.')]),
  ];
  if (findings.length > 0) return findings;
  return {
    type,
    command: isText(command.value) ? command.value : '',
    args: isListOfText(args.value) ? args.value : [],
    env: isTexts(env.value) ? env.value : {},
    at: { command: command.at, args: args.at, env: env.at },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(isText);
}
