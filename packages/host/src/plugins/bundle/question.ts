// What a bundle wants to know from its user (`user_config` of its manifest), and which answers it takes.
// Pure; asking, and where answers are kept, are other files' work.
// https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md#user-configuration

import { posix, win32 } from 'node:path';
import { err, isObject, ok, type Result } from '@plugboard/base';
import { manifestFinding, type PluginFinding } from './plugin-finding.ts';

export type Answer = string | number | boolean | readonly string[];

const TYPES = ['string', 'number', 'boolean', 'directory', 'file'] as const;

export interface Question {
  readonly key: string;
  readonly type: (typeof TYPES)[number];
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Its answer goes where secrets are kept, and nowhere else. */
  readonly isSensitive: boolean;
  /** Takes a list of files or folders. */
  readonly isMultiple: boolean;
  /** As the author wrote it: may hold variables. */
  readonly fallback?: Answer;
  readonly min?: number;
  readonly max?: number;
}

/** Keys become parts of names of secrets and of options. */
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;

export function readQuestions(value: unknown): {
  readonly questions: readonly Question[];
  readonly findings: readonly PluginFinding[];
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

/** What a program or a file can hand over as an answer becomes one, or the words for why not. */
export function checkAnswer(
  question: Question,
  given: unknown,
  absolute: (path: string) => string,
): Result<Answer, string> {
  if (question.isMultiple) {
    const list: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (!list.every(isWord)) return err('must be a list of paths');
    return ok(list.map(absolute));
  }
  const one: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  switch (question.type) {
    case 'string':
      return isWord(one) ? ok(one) : err('must be text, and not empty');
    case 'directory':
    case 'file':
      return isWord(one) ? ok(absolute(one)) : err('must be a path');
    case 'boolean':
      return checkFlag(one);
    case 'number':
      return checkNumber(question, one);
    default:
      return question.type satisfies never;
  }
}

/** A path as its writer meant it: `~` is the home folder, and what is relative is so to `cwd`. */
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

function readQuestion(key: string, option: unknown): Result<Question, PluginFinding> {
  const path = ['user_config', key];
  const wrong = (code: 'wrong-type' | 'bad-value', words: string): Result<never, PluginFinding> =>
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
    return wrong('wrong-type', 'has a "default" that is no text, number, boolean or list of texts');
  }
  const isMultiple = option['multiple'] === true && (type === 'directory' || type === 'file');
  const isSensitive = option['sensitive'] === true;
  if (isMultiple && isSensitive) return wrong('bad-value', 'is both "multiple" and "sensitive"');
  const { title, description, min, max } = option;
  return ok({
    key,
    type,
    title: typeof title === 'string' && title.trim() !== '' ? title : key,
    description: typeof description === 'string' ? description : '',
    isRequired: option['required'] === true,
    isSensitive,
    isMultiple,
    ...(isAnswer(fallback) ? { fallback } : {}),
    ...(typeof min === 'number' ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
  });
}

function checkFlag(given: unknown): Result<boolean, string> {
  if (given === true || given === 'true' || given === 'yes') return ok(true);
  if (given === false || given === 'false' || given === 'no') return ok(false);
  return err('must be true or false');
}

function checkNumber({ min, max }: Question, given: unknown): Result<number, string> {
  const isText = typeof given === 'string' && given.trim() !== '';
  const number = isText ? Number(given) : given;
  if (typeof number !== 'number' || !Number.isFinite(number)) return err('must be a number');
  if (min !== undefined && number < min) return err(`must be at least ${min}`);
  if (max !== undefined && number > max) return err(`must be at most ${max}`);
  return ok(number);
}

/** What can stand in an argument or a variable. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}

function isAnswer(value: unknown): value is Answer {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}
