// A user's answers to the questions of a bundle, in a file beside it. The file contains the names of secrets,
// but not their values. It may contain anything if it was edited by hand.

import { join } from 'node:path';
import { demandOf, err, type FieldProblem, isObject, ok, type Result } from '@plugboard/base';
import type { FieldPath } from '../../config/index.ts';
import type { Answers } from './bundle-entry.ts';
import { type Answer, checkAnswer, type Question } from './question.ts';

export function answersFile(pluginsFolder: string, plugin: string): string {
  return join(pluginsFolder, `${plugin}.values.json`);
}

export function answersText({ values, secrets }: Answers): string {
  const document = { values: Object.fromEntries(values), secrets: [...secrets].toSorted() };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

export interface StoredAnswers {
  readonly answers: Answers;
  /** Invalid answers, which do not count. */
  readonly wrong: readonly {
    readonly path: FieldPath;
    readonly key: string;
    readonly words: string;
  }[];
}

/** Ignores answers to questions that no longer exist. */
export function readAnswers(stored: unknown, questions: readonly Question[]): StoredAnswers {
  const values = new Map<string, Answer>();
  const wrong: { path: FieldPath; key: string; words: string }[] = [];
  const given = isObject(stored) && isObject(stored['values']) ? stored['values'] : {};
  const kept: unknown = isObject(stored) ? stored['secrets'] : undefined;
  for (const question of questions) {
    const { name: key } = question;
    if (!Object.hasOwn(given, key)) continue;
    const checked = checkAnswer(question, given[key], (path) => path);
    if (checked.ok) values.set(key, checked.value);
    else wrong.push({ path: ['values', key], key, words: `must be ${demandOf(checked.error)}` });
  }
  const sensitive = questions.filter(({ isSensitive }) => isSensitive).map(({ name }) => name);
  const secrets = new Set(sensitive.filter((key) => Array.isArray(kept) && kept.includes(key)));
  return { answers: { values, secrets }, wrong };
}

/** The answers of a user or a program, by key. */
export type GivenAnswers = Readonly<Record<string, unknown>>;

export interface CheckedAnswers {
  readonly values: ReadonlyMap<string, Answer>;
  /** Answers to store as secrets. */
  readonly sensitive: ReadonlyMap<string, string>;
}

export type AnswerProblem =
  | { readonly kind: 'unknown-key'; readonly key: string; readonly keys: readonly string[] }
  | { readonly kind: 'bad-answer'; readonly key: string; readonly problem: FieldProblem };

export function checkAnswers(
  given: GivenAnswers,
  questions: readonly Question[],
  absolute: (path: string) => string,
): Result<CheckedAnswers, AnswerProblem> {
  const values = new Map<string, Answer>();
  const sensitive = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    const question = questions.find((candidate) => candidate.name === key);
    if (question === undefined) {
      return err({ kind: 'unknown-key', key, keys: questions.map(({ name }) => name) });
    }
    const checked = checkAnswer(question, value, absolute);
    if (!checked.ok) return err({ kind: 'bad-answer', key, problem: checked.error });
    if (question.isSensitive) sensitive.set(key, String(checked.value));
    else values.set(key, checked.value);
  }
  return ok({ values, sensitive });
}

/** Adds new answers, which replace old ones. */
export function withAnswers(old: Answers, { values, sensitive }: CheckedAnswers): Answers {
  return {
    values: new Map([...old.values, ...values]),
    secrets: new Set([...old.secrets, ...sensitive.keys()]),
  };
}
