// Builds an entry, as it would be in a file, from a bundle's manifest and its user's answers. Pure. If
// answers are missing, the entry still shows what would run, and the result lists what is missing.

import { posix, win32 } from 'node:path';
import { isObject } from '@plugboard/base';
import type { FieldPath, Finding } from '../../config/index.ts';
import type { BundleManifest } from './bundle-manifest.ts';
import {
  fillIn,
  fillInArgument,
  type VariableValue,
  type VariableLookup,
  fillInVariable,
} from './fill-in.ts';
import { manifestFinding } from './manifest-finding.ts';
import { secretName } from './plugin-name.ts';
import { type Answer, checkAnswer, type Question } from './question.ts';

export interface Answers {
  readonly values: ReadonlyMap<string, Answer>;
  /** The keys whose answers are stored as secrets. */
  readonly secrets: ReadonlySet<string>;
}

export const NO_ANSWERS: Answers = { values: new Map(), secrets: new Set() };

export interface BundlePlace {
  /** The folder of the unpacked bundle. */
  readonly folder: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** The value of an unanswered question: nothing, or `${user_config.KEY}` as a placeholder for people. */
export type MissingAnswerMode = 'leave-out' | 'show';

export interface BundleEntry {
  readonly entry: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
  };
  /** The path in the manifest from which a field of the entry comes. */
  readonly pathOf: (path: FieldPath) => FieldPath;
  /** The required questions without an answer and without a default. */
  readonly missing: readonly Question[];
  readonly findings: readonly Finding[];
}

export function bundleEntry(
  manifest: BundleManifest,
  answers: Answers,
  place: BundlePlace & { readonly unanswered: MissingAnswerMode },
): BundleEntry {
  const { run, questions } = manifest;
  const known = new Map(
    questions.map((question) => [
      question.name,
      answerOrDefault(question, { manifest, answers, place }),
    ]),
  );
  const findings: Finding[] = questions
    .filter(({ name }) => known.get(name) === 'bad-default')
    .map(({ name: key }) => {
      const words = `The default of "user_config.${key}" is none that it takes.`;
      return manifestFinding('bad-value', ['user_config', key, 'default'], words);
    });
  const lookupAt = (at: FieldPath): VariableLookup => {
    return (variable) => {
      if (variable.startsWith('secret:')) findings.push(namesSecret(at));
      const key = /^user_config\.(.*)$/s.exec(variable)?.[1];
      if (key === undefined) return placeValue(variable, place);
      const value = known.get(key);
      if (value === undefined) {
        const words = `"user_config.${key}" is used and not declared.`;
        findings.push(manifestFinding('bad-value', at, words));
      }
      if (isObject(value)) return value;
      return place.unanswered === 'show' ? undefined : { kind: 'nothing' };
    };
  };
  const command = fillIn(commandIn(manifest, place), lookupAt(run.at.command));
  const args = run.args.map((argument, index) =>
    fillInArgument(argument, lookupAt([...run.at.args, index])),
  );
  const env = Object.entries(run.env).flatMap(([name, value]) => {
    const filled = fillInVariable(value, lookupAt([...run.at.env, name]));
    return filled === undefined ? [] : [[name, filled] as const];
  });
  const origins = args.flatMap((made, index) => made.map(() => index));
  return {
    entry: {
      command,
      args: args.flat(),
      env: Object.fromEntries(env),
      cwd: fillIn('${__dirname}', lookupAt([])),
    },
    pathOf: (path) => pathIn(manifest, origins, path),
    missing: questions.filter(
      ({ name, isRequired }) => isRequired && known.get(name) === 'unanswered',
    ),
    findings,
  };
}

/** The variables of the manifest format for folders and separators. */
function placeValue(variable: string, place: BundlePlace): VariableValue | undefined {
  const system = place.platform === 'win32' ? win32 : posix;
  const below = (name: string): string => system.join(place.home, name);
  switch (variable) {
    case '__dirname':
      return { kind: 'text', text: place.folder };
    case 'HOME':
      return { kind: 'text', text: place.home };
    case 'DESKTOP':
      return { kind: 'text', text: below('Desktop') };
    case 'DOCUMENTS':
      return { kind: 'text', text: below('Documents') };
    case 'DOWNLOADS':
      return { kind: 'text', text: below('Downloads') };
    case '/':
    case 'pathSeparator':
      return { kind: 'text', text: system.sep };
    default:
      return undefined;
  }
}

/** A bundle gets secrets only through the user's answers. */
function namesSecret(at: FieldPath): Finding {
  return manifestFinding('bad-value', at, 'A bundle may not name secrets; it has to ask for them.');
}

interface BundleFacts {
  readonly manifest: BundleManifest;
  readonly answers: Answers;
  readonly place: BundlePlace;
}

function answerOrDefault(
  question: Question,
  { manifest, answers, place }: BundleFacts,
): VariableValue | 'unanswered' | 'bad-default' {
  const { name: key, fallback } = question;
  if (question.isSensitive && answers.secrets.has(key)) {
    return { kind: 'reference', to: `secret:${secretName(manifest.name, key)}` };
  }
  const answer = answers.values.get(key);
  if (answer !== undefined) return answerValue(answer);
  // Authors write an empty default to mean none.
  if (fallback === undefined || String(fallback) === '') return 'unanswered';
  const checked = checkAnswer(question, inPlace(fallback, place), (path) => path);
  return checked.ok ? answerValue(checked.value) : 'bad-default';
}

function answerValue(answer: Answer): VariableValue {
  return typeof answer === 'object'
    ? { kind: 'list', items: answer }
    : { kind: 'text', text: String(answer) };
}

/** Fills in places such as `${HOME}/Documents` in a default; an answer of the user is literal. */
function inPlace(fallback: Answer, place: BundlePlace): Answer {
  const filled = (text: string): string =>
    text.replaceAll(/\$\{([^{}]*)\}/g, (found, variable: string) => {
      const value = placeValue(variable, place);
      return value?.kind === 'text' ? value.text : found;
    });
  if (typeof fallback === 'string') return filled(fallback);
  return typeof fallback === 'object' ? fallback.map(filled) : fallback;
}

/** A relative path is a program inside the bundle; any other command is found as usual. */
function commandIn({ run }: BundleManifest, { platform }: BundlePlace): string {
  const { command } = run;
  const isPath = /[\\/]/.test(command) && !command.startsWith('${');
  const isInside = isPath && !posix.isAbsolute(command) && !win32.isAbsolute(command);
  const full = isInside ? `\${__dirname}\${/}${command.replace(/^\.[\\/]/, '')}` : command;
  const needsEnding = platform === 'win32' && run.type === 'binary' && !/\.\w+$/.test(command);
  return needsEnding ? `${full}.exe` : full;
}

function pathIn(
  { run }: BundleManifest,
  origins: readonly number[],
  [field, step, ...rest]: FieldPath,
): FieldPath {
  if (field === 'command') return run.at.command;
  if (field === 'env') return step === undefined ? run.at.env : [...run.at.env, step, ...rest];
  if (field !== 'args') return ['server'];
  const origin = typeof step === 'number' ? origins[step] : undefined;
  return origin === undefined ? run.at.args : [...run.at.args, origin];
}
