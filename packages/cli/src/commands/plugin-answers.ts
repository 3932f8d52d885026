// A person's answers to the questions of a bundle: from `--set`, and on a terminal by asking for the rest.

import type { Question } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { questionText } from '../print/plugins.ts';
import { UsageError } from '../usage-error.ts';

export type GivenAnswers = Readonly<Record<string, string | readonly string[]>>;

export interface AnswerOptions {
  readonly set: readonly string[];
  readonly questions: readonly Question[];
  /** Those without which it cannot be used. */
  readonly missing: readonly Question[];
  /** Which to ask, of those that were not answered by `--set`. */
  readonly ask: 'all' | 'missing';
}

export async function collectAnswers(
  context: Context,
  asking: AnswerOptions,
): Promise<GivenAnswers> {
  const given = new Map<string, string | readonly string[]>(answersIn(asking));
  const { input } = context.terminal;
  const isMissing = (question: Question): boolean => asking.missing.includes(question);
  const open = asking.questions.filter(({ key }) => !given.has(key));
  if (context.isJson || !input.isTty) {
    const left = open.filter(isMissing);
    if (left.length > 0) throw unanswered(left);
    return Object.fromEntries(given);
  }
  for (const question of asking.ask === 'all' ? open : open.filter(isMissing)) {
    const answer = await answerTo(context, question, isMissing(question) ? 'needed' : 'optional');
    if (answer !== undefined) given.set(question.key, answer);
  }
  return Object.fromEntries(given);
}

export function unanswered(questions: readonly Question[]): UsageError {
  const flags = questions.map(({ key, type }) => `--set ${key}=${type.toUpperCase()}`);
  return new UsageError(
    `the plugin needs to know: ${questions.map(({ title }) => title).join(', ')}`,
    `add ${flags.join(' ')}`,
  );
}

/** `--set a=1 --set dirs=/x --set dirs=/y`; what is given more than once is a list. */
function answersIn({ set }: AnswerOptions): ReadonlyMap<string, string | readonly string[]> {
  const lists = new Map<string, string[]>();
  for (const text of set) {
    const at = text.indexOf('=');
    // Not shown back: it may be nothing but the secret.
    if (at < 1) throw new UsageError('an answer has no "="', 'write --set KEY=VALUE');
    const key = text.slice(0, at);
    lists.set(key, [...(lists.get(key) ?? []), text.slice(at + 1)]);
  }
  return new Map(
    [...lists].map(([key, values]) => [key, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

async function answerTo(
  context: Context,
  question: Question,
  need: 'needed' | 'optional',
): Promise<string | readonly string[] | undefined> {
  const answers: string[] = [];
  for (;;) {
    const line = await ask(context, questionText(question, answers.length), question);
    if (line !== '') answers.push(line);
    if (line !== '' && !question.isMultiple) return line;
    if (line === '' && (answers.length > 0 || need === 'optional')) {
      return answers.length === 0 ? undefined : answers;
    }
  }
}

async function ask(
  { terminal }: Context,
  text: string,
  { isSensitive }: Question,
): Promise<string> {
  const line = await (isSensitive
    ? terminal.input.ask(text, { hidden: true })
    : terminal.input.ask(text));
  if (line === undefined || terminal.interrupted.aborted) {
    throw new UsageError('nothing was changed', 'run the command again and answer its questions');
  }
  return isSensitive ? line : line.trim();
}
