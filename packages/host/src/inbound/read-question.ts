// Converts a question of a server to the form for the user: its form or page, parsed and bounded, with sanitised text; or
// the reason why it is declined without asking the user. Pure.

import { err, type FormField, ok, type Result } from '@plugboard/base';
import type { Question, QuestionSignals } from '../protocol/index.ts';
import type { AskedForm, AskedPage, DeclineReason } from './elicitation.ts';
import { mentionsSecret, namesSecret, readForm } from './read-form.ts';
import { readPage } from './read-page.ts';
import { shownText } from './shown-text.ts';

const MESSAGE_LENGTH = 2000;

export type AskedQuestion = AskedForm | AskedPage;

export function readQuestion(
  question: Question,
  { finished }: Pick<QuestionSignals, 'finished'>,
): Result<AskedQuestion, DeclineReason> {
  const message = shownText(question.message, MESSAGE_LENGTH);
  if (question.kind === 'url') {
    const page = readPage(question.url);
    if (!page.ok) return err({ kind: 'bad-url', why: page.error });
    return ok({ kind: 'url', message, ...page.value, waitsFor: question.waitsFor, finished });
  }
  const fields = readForm(question.schema);
  if (!fields.ok) return err({ kind: 'not-a-form', detail: fields.error });
  const soundsSecret = asksForSecret(message, fields.value);
  return ok({ kind: 'form', message, fields: fields.value, soundsSecret });
}

function asksForSecret(message: string, fields: readonly FormField[]): boolean {
  const texts = fields.filter((field) => field.kind === 'text');
  // A numeric code, such as a PIN, is a number field in a form.
  const numbers = fields.filter((field) => field.kind === 'number');
  return (
    texts.some((field) => field.soundsSecret) ||
    numbers.some(({ name, title }) => namesSecret(name) || mentionsSecret(title)) ||
    (texts.length > 0 && mentionsSecret(message))
  );
}
