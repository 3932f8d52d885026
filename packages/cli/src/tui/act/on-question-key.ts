// Keys while a server asks a question: a form, field by field, or a page to open.

import type { ElicitationAnswer } from '@plugboard/host';
import { type Key, wordOf } from '../keys/index.ts';
import {
  type ServerQuestion,
  formAnswer,
  type FormDraft,
  type FormStep,
  type Screen,
  stepForm,
  withoutQuestion,
} from '../state/index.ts';
import type { PageQuestion } from '../view/question-lines.ts';
import { changeQuestion, keyResult, type KeyResult } from './effect.ts';
import { fieldEdit } from './field-edit.ts';

export function onQuestionKey(screen: Screen, question: ServerQuestion, key: Key): KeyResult {
  const chord = wordOf(key);
  if (chord === 'escape' || chord === 'ctrl-c') {
    return answerQuestion(screen, question, { kind: 'cancel' });
  }
  const { answering } = question;
  return answering.kind === 'page'
    ? onPage(screen, { question, answering, chord })
    : onForm(screen, { question, answering, chord, key });
}

interface OnPage {
  readonly question: ServerQuestion;
  readonly answering: PageQuestion;
  readonly chord: string;
}

function onPage(screen: Screen, { question, answering, chord }: OnPage): KeyResult {
  switch (chord) {
    case 'y':
    case 'o':
      return answerQuestion(screen, question, { kind: 'accept' });
    case 'n':
    case 'd':
      return answerQuestion(screen, question, { kind: 'decline' });
    case 'enter':
      return answerQuestion(screen, question, {
        kind: answering.selected === 0 ? 'accept' : 'decline',
      });
    case 'up':
    case 'down':
    case 'left':
    case 'right':
    case 'tab': {
      const other = { ...answering, selected: 1 - answering.selected };
      return changeQuestion(screen, { ...question, answering: other });
    }
    default:
      return keyResult(screen);
  }
}

interface OnForm {
  readonly question: ServerQuestion;
  readonly answering: FormDraft;
  readonly chord: string;
  readonly key: Key;
}

function onForm(screen: Screen, { question, answering, chord, key }: OnForm): KeyResult {
  const { form, state } = answering;
  const answer = chord === 'enter' ? formAnswer(form, state) : undefined;
  if (answer !== undefined) return answerQuestion(screen, question, answer);
  const kind = form.fields[state.field]?.kind;
  const step =
    kind === 'text' || kind === 'number'
      ? (STEPS[chord] ?? { kind: 'type', editor: fieldEdit(state.editor, key, screen.columns) })
      : (CHOOSING[chord] ?? STEPS[chord]);
  if (step === undefined) return keyResult(screen);
  const changed = stepForm(form, state, step);
  return changeQuestion(screen, { ...question, answering: { ...answering, state: changed } });
}

const STEPS: Readonly<Record<string, FormStep>> = {
  enter: { kind: 'next' },
  tab: { kind: 'next' },
  'shift-tab': { kind: 'back' },
  up: { kind: 'back' },
  down: { kind: 'next' },
};

const CHOOSING: Readonly<Record<string, FormStep>> = {
  up: { kind: 'option', by: -1 },
  down: { kind: 'option', by: 1 },
  left: { kind: 'option', by: -1 },
  right: { kind: 'option', by: 1 },
  ' ': { kind: 'toggle' },
  y: { kind: 'pick', value: true },
  n: { kind: 'pick', value: false },
};

function answerQuestion(
  screen: Screen,
  { id }: ServerQuestion,
  answer: ElicitationAnswer,
): KeyResult {
  return keyResult(withoutQuestion(screen, id, screen.now), { kind: 'question', id, answer });
}
