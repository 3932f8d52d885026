// Keys while a server asks a question: a form, field by field, or a page to open.

import type { ElicitationAnswer } from '@plugboard/host';
import { type Key, wordOf } from '../keys/index.ts';
import {
  type AskedByServer,
  formAnswer,
  type FormDraft,
  type FormStep,
  type Screen,
  stepForm,
  withoutAsked,
} from '../state/index.ts';
import type { PageQuestion } from '../view/question-lines.ts';
import { acted, type KeyResult, replaceQuestion } from './effect.ts';
import { fieldEdit } from './field-edit.ts';

export function onQuestionKey(screen: Screen, asked: AskedByServer, key: Key): KeyResult {
  const chord = wordOf(key);
  if (chord === 'escape' || chord === 'ctrl-c') {
    return answered(screen, asked, { kind: 'cancel' });
  }
  const { answering } = asked;
  return answering.kind === 'page'
    ? onPage(screen, { asked, answering, chord })
    : onForm(screen, { asked, answering, chord, key });
}

interface OnPage {
  readonly asked: AskedByServer;
  readonly answering: PageQuestion;
  readonly chord: string;
}

function onPage(screen: Screen, { asked, answering, chord }: OnPage): KeyResult {
  switch (chord) {
    case 'y':
    case 'o':
      return answered(screen, asked, { kind: 'accept' });
    case 'n':
    case 'd':
      return answered(screen, asked, { kind: 'decline' });
    case 'enter':
      return answered(screen, asked, { kind: answering.selected === 0 ? 'accept' : 'decline' });
    case 'up':
    case 'down':
    case 'left':
    case 'right':
    case 'tab': {
      const other = { ...answering, selected: 1 - answering.selected };
      return acted(replaceQuestion(screen, { ...asked, answering: other }));
    }
    default:
      return acted(screen);
  }
}

interface OnForm {
  readonly asked: AskedByServer;
  readonly answering: FormDraft;
  readonly chord: string;
  readonly key: Key;
}

function onForm(screen: Screen, { asked, answering, chord, key }: OnForm): KeyResult {
  const { form, state } = answering;
  const answer = chord === 'enter' ? formAnswer(form, state) : undefined;
  if (answer !== undefined) return answered(screen, asked, answer);
  const kind = form.fields[state.field]?.kind;
  const step =
    kind === 'text' || kind === 'number'
      ? (STEPS[chord] ?? { kind: 'type', editor: fieldEdit(state.editor, key, screen.columns) })
      : (CHOOSING[chord] ?? STEPS[chord]);
  if (step === undefined) return acted(screen);
  const changed = stepForm(form, state, step);
  return acted(replaceQuestion(screen, { ...asked, answering: { ...answering, state: changed } }));
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

function answered(screen: Screen, { id }: AskedByServer, answer: ElicitationAnswer): KeyResult {
  return acted(withoutAsked(screen, id, screen.now), { kind: 'question', id, answer });
}
