// From a bundle's manifest and its user's answers to an entry as it would stand in a file. Pure. Where
// answers are missing the entry still shows what would be run, and the caller is told what is missing.

import { posix, win32 } from 'node:path';
import { isObject } from '@plugboard/base';
import type { BundleManifest } from './bundle-manifest.ts';
import { fillIn, fillInArgument, type VariableValue, type VariableLookup, fillInVariable } from './fill-in.ts';
import { type JsonPath, manifestFinding, type PluginFinding } from './plugin-finding.ts';
import { secretName } from './plugin-name.ts';
import { type Answer, checkAnswer, type Question } from './question.ts';

export interface Answers {
  readonly values: ReadonlyMap<string, Answer>;
  /** Keys whose answers are kept as secrets. */
  readonly secrets: ReadonlySet<string>;
}

export const NO_ANSWERS: Answers = { values: new Map(), secrets: new Set() };

export interface BundlePlace {
  /** Where the bundle is unpacked. */
  readonly folder: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** What becomes of a question without an answer: nothing, or `${user_config.KEY}` for people to see. */
export type MissingAnswerMode = 'leave-out' | 'show';

export interface BundleEntry {
  readonly entry: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
  };
  /** Where in the manifest a field of the entry comes from. */
  readonly pathOf: (path: JsonPath) => JsonPath;
  /** Required, without an answer and without a default. */
  readonly missing: readonly Question[];
  readonly findings: readonly PluginFinding[];
}

export function bundleEntry(
  manifest: BundleManifest,
  answers: Answers,
  place: BundlePlace & { readonly unanswered: MissingAnswerMode },
): BundleEntry {
  const { run, questions } = manifest;
  const known = new Map(
    questions.map((question) => [question.name, fillingOf(question, { manifest, answers, place })]),
  );
  const findings: PluginFinding[] = questions
    .filter(({ name }) => known.get(name) === 'bad-default')
    .map(({ name: key }) => {
      const words = `The default of "user_config.${key}" is none that it takes.`;
      return manifestFinding('bad-value', ['user_config', key, 'default'], words);
    });
  const fillings = (at: JsonPath): VariableLookup => {
    return (variable) => {
      if (variable.startsWith('secret:')) findings.push(namesSecret(at));
      const key = /^user_config\.(.*)$/s.exec(variable)?.[1];
      if (key === undefined) return placeFilling(variable, place);
      const filling = known.get(key);
      if (filling === undefined) {
        const words = `"user_config.${key}" is used and not declared.`;
        findings.push(manifestFinding('bad-value', at, words));
      }
      if (isObject(filling)) return filling;
      return place.unanswered === 'show' ? undefined : { kind: 'nothing' };
    };
  };
  const command = fillIn(commandIn(manifest, place), fillings(run.at.command));
  const args = run.args.map((argument, index) =>
    fillInArgument(argument, fillings([...run.at.args, index])),
  );
  const env = Object.entries(run.env).flatMap(([name, value]) => {
    const filled = fillInVariable(value, fillings([...run.at.env, name]));
    return filled === undefined ? [] : [[name, filled] as const];
  });
  const origins = args.flatMap((made, index) => made.map(() => index));
  return {
    entry: {
      command,
      args: args.flat(),
      env: Object.fromEntries(env),
      cwd: fillIn('${__dirname}', fillings([])),
    },
    pathOf: (path) => pathIn(manifest, origins, path),
    missing: questions.filter(
      ({ name, isRequired }) => isRequired && known.get(name) === 'unanswered',
    ),
    findings,
  };
}

/** The variables of the manifest format that stand for places. */
function placeFilling(variable: string, place: BundlePlace): VariableValue | undefined {
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

/** The user decides which secrets a bundle gets, by answering. */
function namesSecret(at: JsonPath): PluginFinding {
  return manifestFinding('bad-value', at, 'A bundle may not name secrets; it has to ask for them.');
}

interface BundleFacts {
  readonly manifest: BundleManifest;
  readonly answers: Answers;
  readonly place: BundlePlace;
}

function fillingOf(
  question: Question,
  { manifest, answers, place }: BundleFacts,
): VariableValue | 'unanswered' | 'bad-default' {
  const { name: key, fallback } = question;
  if (question.isSensitive && answers.secrets.has(key)) {
    return { kind: 'reference', to: `secret:${secretName(manifest.name, key)}` };
  }
  const answer = answers.values.get(key);
  if (answer !== undefined) return answerFilling(answer);
  // An empty default is how authors write that there is none.
  if (fallback === undefined || String(fallback) === '') return 'unanswered';
  const checked = checkAnswer(question, inPlace(fallback, place), (path) => path);
  return checked.ok ? answerFilling(checked.value) : 'bad-default';
}

function answerFilling(answer: Answer): VariableValue {
  return typeof answer === 'object'
    ? { kind: 'list', items: answer }
    : { kind: 'text', text: String(answer) };
}

/** Authors write `${HOME}/Documents` as a default; an answer of the user is taken to the letter. */
function inPlace(fallback: Answer, place: BundlePlace): Answer {
  const filled = (text: string): string =>
    text.replaceAll(/\$\{([^{}]*)\}/g, (found, variable: string) => {
      const filling = placeFilling(variable, place);
      return filling?.kind === 'text' ? filling.text : found;
    });
  if (typeof fallback === 'string') return filled(fallback);
  return typeof fallback === 'object' ? fallback.map(filled) : fallback;
}

/** A program inside the bundle is named by its path there; any other is looked for as always. */
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
  [field, step, ...rest]: JsonPath,
): JsonPath {
  if (field === 'command') return run.at.command;
  if (field === 'env') return step === undefined ? run.at.env : [...run.at.env, step, ...rest];
  if (field !== 'args') return ['server'];
  const origin = typeof step === 'number' ? origins[step] : undefined;
  return origin === undefined ? run.at.args : [...run.at.args, origin];
}
