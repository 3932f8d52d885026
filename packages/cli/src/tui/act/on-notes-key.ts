// Keys while instructions of a folder wait for approval. As with calls, a yes counts only after all was on the screen.

import { type Key, wordOf } from '../keys/index.ts';
import {
  type AskedAboutNotes,
  atUnseen,
  rowsForAsked,
  type Screen,
  unseenOf,
  contentWidth,
  withoutAsked,
} from '../state/index.ts';
import { UNSEEN_CHOICES } from '../view/long-question.ts';
import { NOTES_CHOICES, shownNotes } from '../view/notes-lines.ts';
import { PLAIN_THEME } from '../view/theme.ts';
import type { NotesAnswer } from '../../chat/index.ts';
import { acted, type KeyResult, replaceQuestion } from './effect.ts';
import { longQuestionStep, withShown } from './long-question-key.ts';

export function onNotesKey(screen: Screen, before: AskedAboutNotes, key: Key): KeyResult {
  const shown = shownOf(screen, before);
  const asked = withShown(before, shown, contentWidth(screen));
  const choices: readonly AnyChoice[] = asked.unseenYes === true ? UNSEEN_CHOICES : NOTES_CHOICES;
  const step = longQuestionStep(asked, wordOf(key), { shown, choices });
  switch (step.kind) {
    case 'chosen':
      return choose(screen, asked, step.choice);
    case 'changed':
      return acted(replaceQuestion(screen, step.asked));
    case 'left':
      return answered(screen, asked, 'later');
    case 'none':
      return acted(screen);
    default:
      return step satisfies never;
  }
}

function shownOf(screen: Screen, { notes, selected, reading, unseenYes }: AskedAboutNotes) {
  const state = {
    selected,
    rows: rowsForAsked(screen),
    offset: reading.offset,
    unseen: unseenYes === true ? 0 : undefined,
  };
  return shownNotes(notes, state, { width: contentWidth(screen), theme: PLAIN_THEME });
}

type AnyChoice = (typeof NOTES_CHOICES)[number] | (typeof UNSEEN_CHOICES)[number];

function choose(screen: Screen, asked: AskedAboutNotes, choice: AnyChoice): KeyResult {
  if ('answer' in choice) {
    const isUnread = unseenOf(asked.reading, shownOf(screen, asked)) > 0;
    return choice.answer === 'yes' && isUnread
      ? acted(replaceQuestion(screen, { ...asked, unseenYes: true, selected: 0 }))
      : answered(screen, asked, choice.answer);
  }
  switch (choice.kind) {
    case 'read':
      return acted(replaceQuestion(screen, { ...asked, reading: atUnseen(asked.reading) }));
    case 'allow':
      return answered(screen, asked, 'yes');
    case 'deny':
      return answered(screen, asked, 'no');
    default:
      return choice satisfies never;
  }
}

function answered(screen: Screen, { id }: AskedAboutNotes, answer: NotesAnswer): KeyResult {
  return acted(withoutAsked(screen, id, screen.now), { kind: 'notes', id, answer });
}
