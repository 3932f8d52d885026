// Collects the answers to the questions of a bundle from `--set`, and asks for the rest on a terminal.

import type { Json } from '@plugboard/base';
import type { Question } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { shownQuestion } from '../print/plugins.ts';
import { UsageError } from '../usage-error.ts';
import { askField } from './ask-field.ts';

export type GivenAnswers = Readonly<Record<string, Json>>;

export interface AnswerOptions {
  readonly set: readonly string[];
  readonly questions: readonly Question[];
  /** The questions without which the bundle cannot be used. */
  readonly missing: readonly Question[];
  /** Which of the questions without `--set` to ask. */
  readonly ask: 'all' | 'missing';
}

export async function collectAnswers(
  context: Context,
  asking: AnswerOptions,
): Promise<GivenAnswers> {
  const given = new Map<string, Json>(answersIn(asking));
  const { input } = context.terminal;
  const isMissing = (question: Question): boolean => asking.missing.includes(question);
  const open = asking.questions.filter(({ name }) => !given.has(name));
  if (context.isJson || !input.isTty) {
    const left = open.filter(isMissing);
    if (left.length > 0) throw unanswered(left);
    return Object.fromEntries(given);
  }
  for (const question of asking.ask === 'all' ? open : open.filter(isMissing)) {
    const answer = await answerTo(context, { ...question, isRequired: isMissing(question) });
    if (answer !== undefined) given.set(question.name, answer);
  }
  return Object.fromEntries(given);
}

export function unanswered(questions: readonly Question[]): UsageError {
  const flags = questions.map((question) => {
    const wanted = 'what' in question ? question.what : question.kind;
    return `--set ${question.name}=${wanted.toUpperCase()}`;
  });
  return new UsageError(
    `the plugin needs to know: ${questions.map(({ title }) => title).join(', ')}`,
    `add ${flags.join(' ')}`,
  );
}

/** Parses `--set a=1 --set dirs=/x --set dirs=/y`. A repeated key is a list. */
function answersIn({ set }: AnswerOptions): ReadonlyMap<string, Json> {
  const lists = new Map<string, string[]>();
  for (const text of set) {
    const at = text.indexOf('=');
    // The message does not repeat the text, which may be a secret.
    if (at < 1) throw new UsageError('an answer has no "="', 'write --set KEY=VALUE');
    const key = text.slice(0, at);
    lists.set(key, [...(lists.get(key) ?? []), text.slice(at + 1)]);
  }
  return new Map(
    [...lists].map(([key, values]) => [key, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

async function answerTo({ terminal }: Context, question: Question): Promise<Json | undefined> {
  const { isSensitive: isHidden } = question;
  const { field, fallback } = shownQuestion(question);
  const answer = await askField(field, {
    terminal,
    isHidden,
    ...(fallback === undefined ? {} : { fallback }),
  });
  if (answer.kind === 'cancelled' || terminal.interrupted.aborted) {
    throw new UsageError('nothing was changed', 'run the command again and answer its questions');
  }
  return answer.value;
}
