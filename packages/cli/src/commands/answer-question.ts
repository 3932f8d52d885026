// Asks a question of a server on a terminal: a form, field by field, with a review before the answers are sent; or a page,
// which opens after the person agrees. Ctrl-C cancels the question, and the call continues without an answer.

import type { Json } from '@plugboard/base';
import {
  type AskedForm,
  type AskedPage,
  type ElicitationAnswer,
  type ElicitationRequest,
  type FormField,
  openBrowser,
} from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { withoutProgress } from '../print/progress.ts';
import {
  answerQuestion as answerWords,
  DONE_QUESTION,
  EDIT_QUESTION,
  FINISHED,
  formScreen,
  notOpened,
  OPEN_QUESTION,
  OPENED,
  pageScreen,
  reviewScreen,
  SEND_QUESTION,
} from '../print/question-screen.ts';
import { askField, type FieldAnswer } from './ask-field.ts';

const CANCEL: ElicitationAnswer = { kind: 'cancel' };
const DECLINE: ElicitationAnswer = { kind: 'decline' };

export function answerQuestion(
  context: Context,
  { server, question, signal }: ElicitationRequest,
): Promise<ElicitationAnswer> {
  const asking = { context, server, signal };
  return withoutProgress(context, () =>
    question.kind === 'form' ? answerForm(asking, question) : answerPage(asking, question),
  );
}

interface QuestionContext {
  readonly context: Context;
  readonly server: string;
  readonly signal: AbortSignal;
}

async function answerForm(asking: QuestionContext, form: AskedForm): Promise<ElicitationAnswer> {
  const { err } = asking.context.terminal;
  err.write(formScreen(asking.server, form));
  const start = await choose(asking, answerWords(form), {
    '': form.soundsSecret ? 'decline' : 'yes',
    ...YES,
    ...NO,
  });
  if (start !== 'yes') return start === 'decline' ? DECLINE : CANCEL;
  const content: Record<string, Json> = {};
  for (const field of form.fields) {
    if ((await fillIn(asking, field, content)) === 'cancelled') return CANCEL;
  }
  if (form.fields.length === 0) return { kind: 'accept', content };
  for (;;) {
    err.write(reviewScreen(asking.server, form.fields, content));
    const next = await choose(asking, SEND_QUESTION, { ...YES, ...NO, e: 'edit', edit: 'edit' });
    if (next === 'yes') return { kind: 'accept', content };
    if (next !== 'edit') return next === 'decline' ? DECLINE : CANCEL;
    const number = await ask(asking, EDIT_QUESTION);
    if (number === undefined) return CANCEL;
    const field = form.fields[Number(number) - 1];
    if (field !== undefined && (await fillIn(asking, field, content)) === 'cancelled') {
      return CANCEL;
    }
  }
}

async function fillIn(
  { context: { terminal }, signal }: QuestionContext,
  field: FormField,
  content: Record<string, Json>,
): Promise<FieldAnswer['kind']> {
  const isHidden = field.kind === 'text' && field.soundsSecret;
  const answer = await askField(field, { terminal, isHidden, signal });
  if (answer.kind === 'cancelled') return answer.kind;
  if (answer.value === undefined) delete content[field.name];
  else content[field.name] = answer.value;
  return answer.kind;
}

async function answerPage(asking: QuestionContext, page: AskedPage): Promise<ElicitationAnswer> {
  const { err } = asking.context.terminal;
  err.write(pageScreen(asking.server, page));
  const consent = await choose(asking, OPEN_QUESTION, { ...YES, ...NO });
  if (consent !== 'yes') return consent === 'decline' ? DECLINE : CANCEL;
  const opening = await openBrowser(page.url, { environment: hostEnvironment() });
  err.write(opening.kind === 'opened' ? OPENED : notOpened(page.url));
  if (page.waitsFor === 'consent') return { kind: 'accept' };
  const { finished } = page;
  const signal = AbortSignal.any([asking.signal, finished]);
  const done = await ask({ ...asking, signal }, DONE_QUESTION);
  if (done !== undefined) return { kind: 'accept' };
  if (!finished.aborted) return CANCEL;
  err.write(FINISHED);
  return { kind: 'accept' };
}

type Meaning = 'yes' | 'decline' | 'cancel' | 'edit';

const YES = { y: 'yes', yes: 'yes' } as const;
const NO = { d: 'decline', decline: 'decline', c: 'cancel', cancel: 'cancel' } as const;

/** Asks until the answer is one of the words. `undefined` if the person stops. */
async function choose<T extends Meaning>(
  asking: QuestionContext,
  question: string,
  words: Readonly<Record<string, T>>,
): Promise<T | undefined> {
  for (;;) {
    const typed = (await ask(asking, question))?.trim().toLowerCase();
    if (typed === undefined) return undefined;
    if (Object.hasOwn(words, typed)) return words[typed];
  }
}

function ask({ context, signal }: QuestionContext, question: string): Promise<string | undefined> {
  return context.terminal.input.ask(question, { signal, onCtrlC: 'withdraw' });
}
