// Keys while instructions of a folder wait for a yes. As for a call, a yes counts once all of them were on the screen.

import { type Key, wordOf } from '../keys/index.ts';
import {
  type AskedAboutNotes,
  atUnseen,
  rowsForAsked,
  type Screen,
  turned,
  unseenOf,
  widthForAsked,
  withoutAsked,
  withSeen,
} from '../state/index.ts';
import { type ShownQuestion, UNSEEN_CHOICES } from '../view/long-question.ts';
import { NOTES_CHOICES, shownNotes } from '../view/notes-lines.ts';
import { PLAIN_THEME } from '../view/theme.ts';
import type { NotesAnswer } from '../../chat/index.ts';
import { acted, type KeyResult } from './effect.ts';
import { replaceQuestion } from './replace-question.ts';

export function onNotesKey(screen: Screen, before: AskedAboutNotes, key: Key): KeyResult {
  const shown = shownOf(screen, before);
  const asked = withShown(before, shown, widthForAsked(screen));
  const chord = wordOf(key);
  const choices = asked.isUnseenYes === true ? UNSEEN_CHOICES : NOTES_CHOICES;
  const byLetter = choices.find((choice) => choice.key === chord.toLowerCase());
  if (byLetter !== undefined) return choose(screen, asked, byLetter);
  const to = (by: number): KeyResult => {
    const selected = (asked.selected + by + choices.length) % choices.length;
    return acted(replaceQuestion(screen, { ...asked, selected }));
  };
  switch (chord) {
    case 'up':
    case 'left':
    case 'shift-tab':
      return to(-1);
    case 'down':
    case 'right':
    case 'tab':
      return to(1);
    case ' ':
    case 'pagedown':
    case 'pageup': {
      const reading = turned(asked.reading, shown, chord === 'pageup' ? 'back' : 'on');
      return acted(replaceQuestion(screen, { ...asked, reading }));
    }
    case 'enter': {
      const choice = choices[asked.selected];
      return choice === undefined ? acted(screen) : choose(screen, asked, choice);
    }
    case 'escape':
      return answered(screen, asked, 'later');
    default:
      return acted(screen);
  }
}

/** Once all of it was shown, the first question stands again, with no answer chosen. */
function withShown(before: AskedAboutNotes, shown: ShownQuestion, width: number): AskedAboutNotes {
  const reading = withSeen(before.reading, shown, width);
  const { isUnseenYes, ...rest } = before;
  return isUnseenYes === undefined || unseenOf(reading, shown) > 0
    ? { ...before, reading }
    : { ...rest, reading, selected: -1 };
}

function shownOf(screen: Screen, { notes, selected, reading, isUnseenYes }: AskedAboutNotes) {
  const state = {
    selected,
    rows: rowsForAsked(screen),
    offset: reading.offset,
    unseen: isUnseenYes === true ? 0 : undefined,
  };
  return shownNotes(notes, state, { width: widthForAsked(screen), theme: PLAIN_THEME });
}

type AnyChoice = (typeof NOTES_CHOICES)[number] | (typeof UNSEEN_CHOICES)[number];

function choose(screen: Screen, asked: AskedAboutNotes, choice: AnyChoice): KeyResult {
  if ('answer' in choice) {
    const isUnread = unseenOf(asked.reading, shownOf(screen, asked)) > 0;
    return choice.answer === 'yes' && isUnread
      ? acted(replaceQuestion(screen, { ...asked, isUnseenYes: true, selected: 0 }))
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
  return acted(withoutAsked(screen, id), { kind: 'notes', id, answer });
}
