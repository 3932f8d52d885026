// The questions of a bundle to its user (`user_config` of its manifest), and which answers are valid. Pure;
// asking the user and storing answers is left to other files.
// https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md#user-configuration

import { posix, win32 } from 'node:path';
import {
  err,
  type FieldProblem,
  fieldProblem,
  type InputField,
  isObject,
  type Json,
  ok,
  parseTyped,
  type Result,
} from '@plugboard/base';
import type { Finding } from '../../config/index.ts';
import { manifestFinding } from './manifest-finding.ts';

export type Answer = string | number | boolean | readonly string[];

const TYPES = ['string', 'number', 'boolean', 'directory', 'file'] as const;

export type Question = InputField & {
  /** Whether its answer is only stored as a secret. */
  readonly isSensitive: boolean;
  /** The default as written: may contain variables, and may be invalid for the field. */
  readonly fallback?: Answer;
};

/** Keys are used in names of secrets and in options. */
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;

export function readQuestions(value: unknown): {
  readonly questions: readonly Question[];
  readonly findings: readonly Finding[];
} {
  if (value === undefined) return { questions: [], findings: [] };
  if (!isObject(value)) {
    const message = '"user_config" must be an object.';
    return {
      questions: [],
      findings: [manifestFinding('wrong-type', ['user_config'], message)],
    };
  }
  const read = Object.entries(value).map(([key, option]) => readQuestion(key, option));
  return {
    questions: read.flatMap((each) => (each.ok ? [each.value] : [])),
    findings: read.flatMap((each) => (each.ok ? [] : [each.error])),
  };
}

/** Checks and converts an answer from a program or a file. */
export function checkAnswer(
  question: Question,
  given: unknown,
  absolute: (path: string) => string,
): Result<Answer, FieldProblem> {
  const isAlone = Array.isArray(given) && given.length === 1 && question.kind !== 'paths';
  const one: unknown = isAlone ? given[0] : given;
  // A value that is not JSON fails the check of any field.
  const value = typeof one === 'string' ? parseTyped(question, one) : (one as Json);
  const problem = fieldProblem(question, value) ?? wordProblem(question, value);
  if (problem !== undefined) return err(problem);
  // The field has been checked.
  const answer = value as Answer;
  if (question.kind === 'path') return ok(absolute(String(answer)));
  return ok(typeof answer === 'object' ? answer.map(absolute) : answer);
}

/** Rejects a NUL, which neither an argument nor a variable can contain. */
function wordProblem({ kind }: Question, value: Json): FieldProblem | undefined {
  const isWrong = typeof value === 'string' && value.includes('\0');
  return isWrong ? { kind: 'wrong-type', wanted: kind } : undefined;
}

/** Resolves `~` to the home folder, and any other relative path from `cwd`. */
export function absolutePath(
  path: string,
  {
    cwd,
    home,
    platform,
  }: { readonly cwd: string; readonly home: string; readonly platform: NodeJS.Platform },
): string {
  const system = platform === 'win32' ? win32 : posix;
  const [, rest] = /^~(?:[\\/](.*))?$/s.exec(path) ?? [];
  return path.startsWith('~') && (rest !== undefined || path === '~')
    ? system.join(home, rest ?? '')
    : system.resolve(cwd, path);
}

function readQuestion(key: string, option: unknown): Result<Question, Finding> {
  const path = ['user_config', key];
  const wrong = (code: 'wrong-type' | 'bad-value', words: string): Result<never, Finding> =>
    err(manifestFinding(code, path, `"user_config.${key}" ${words}.`));
  if (!KEY.test(key)) {
    const message = 'A name in "user_config" may only hold A-Z a-z 0-9 _ . and -.';
    return err({ ...manifestFinding('bad-value', path, message), on: 'key' });
  }
  if (!isObject(option)) return wrong('wrong-type', 'must be an object');
  const type = TYPES.find((known) => known === option['type']);
  if (type === undefined) return wrong('bad-value', `must have a "type": ${TYPES.join(', ')}`);
  const fallback = option['default'];
  if (fallback !== undefined && fallback !== null && !isAnswer(fallback)) {
    return wrong(
      'wrong-type',
      'has a "default" that is not a text, a number, a boolean or a list of texts',
    );
  }
  const isMultiple = option['multiple'] === true && (type === 'directory' || type === 'file');
  const isSensitive = option['sensitive'] === true;
  if (isMultiple && isSensitive) return wrong('bad-value', 'is both "multiple" and "sensitive"');
  const { title, description } = option;
  const facts = {
    name: key,
    title: typeof title === 'string' && title.trim() !== '' ? title : key,
    description: typeof description === 'string' ? description : undefined,
    isRequired: option['required'] === true,
    isSensitive,
    default: undefined,
    ...(isAnswer(fallback) ? { fallback } : {}),
  };
  switch (type) {
    case 'string':
      return ok({ ...facts, ...TEXT, soundsSecret: isSensitive });
    case 'number':
      return ok({ ...facts, ...NUMBER, ...boundsOf(option) });
    case 'boolean':
      return ok({ ...facts, kind: type });
    case 'directory':
    case 'file':
      return ok({ ...facts, kind: isMultiple ? 'paths' : 'path', what: type });
    default:
      return type satisfies never;
  }
}

const TEXT = { kind: 'text', format: undefined, minLength: 1, maxLength: undefined } as const;
const NUMBER = { kind: 'number', isInteger: false } as const;

function boundsOf({ min, max }: Readonly<Record<string, unknown>>): {
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
} {
  return {
    minimum: typeof min === 'number' ? min : undefined,
    maximum: typeof max === 'number' ? max : undefined,
  };
}

function isAnswer(value: unknown): value is Answer {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}
