// What a key does, depending on what is on the screen: a waiting question comes first, then an open panel, then the prompt.
// Pure: everything beyond the screen is returned as an effect.

import {
  clear,
  compose,
  type Composer,
  editorWith,
  takesEscape,
  textColumns,
} from '../input/index.ts';
import { type Key, wordOf } from '../keys/index.ts';
import type { OpenQuestion, Screen } from '../state/index.ts';
import { keyResult, type KeyResult, type Effect } from './effect.ts';
import { onApprovalKey } from './on-approval-key.ts';
import { onNotesKey } from './on-notes-key.ts';
import { foldingPanel, onPanelKey } from './on-panel-key.ts';
import { onQuestionKey } from './on-question-key.ts';

/** After this pause in typing a message, keys answer questions: a call that appears meanwhile must not be approved. */
const PAUSE_MS = 500;
/** Before this, the user cannot have read a new question: the key was meant for something else. */
const UNREAD_MS = 300;
const QUIT_HINT = 'Press Ctrl-C again to quit';
const REWIND_HINT = 'Press Esc again to go back to an earlier message';
const CANCEL: readonly Effect[] = [{ kind: 'cancel' }];

export interface TypingTimes {
  readonly now: number;
  /** When the last key went into the prompt. */
  readonly typedAt: number;
  /** When the first question appeared. */
  readonly askedAt: number;
}

export function onKey(screen: Screen, key: Key, { now, typedAt, askedAt }: TypingTimes): KeyResult {
  const anywhere = onKeyAnywhere(screen, key);
  if (anywhere !== undefined) return anywhere;
  const isTyping = screen.composer.editor.text !== '' && now - typedAt < PAUSE_MS;
  const question = isTyping ? undefined : screen.questions[0];
  const isUnread = now - askedAt < UNREAD_MS && isAnswer(key);
  if (question !== undefined && question.kind !== 'question' && isUnread) return keyResult(screen);
  if (question !== undefined) return onOpenQuestionKey(screen, question, key);
  if (screen.panel !== undefined) return onPanelKey(screen, screen.panel, key);
  return onPromptKey(withoutHint(screen), key, screen.hint);
}

/** Every key except those that stop or quit, which always work. */
function isAnswer(key: Key): boolean {
  const word = wordOf(key);
  return word !== 'escape' && word !== 'ctrl-c';
}

function onKeyAnywhere(screen: Screen, key: Key): KeyResult | undefined {
  switch (wordOf(key)) {
    case 'ctrl-z':
      return keyResult(screen, { kind: 'suspend' });
    case 'ctrl-l':
      return keyResult(screen, { kind: 'redraw' });
    case 'ctrl-o':
      return keyResult(
        { ...screen, isFolded: !screen.isFolded, turnedOver: new Set() },
        { kind: 'redraw' },
      );
    case 'alt-o':
      return keyResult({ ...screen, panel: foldingPanel(screen) });
    default:
      return undefined;
  }
}

function onOpenQuestionKey(screen: Screen, question: OpenQuestion, key: Key): KeyResult {
  const isTyping = question.kind === 'approval' && question.typing !== undefined;
  // The user must be able to leave during any question.
  if (wordOf(key) === 'ctrl-c' && !isTyping) return interrupt(withoutHint(screen), screen.hint);
  if (question.kind === 'question') return onQuestionKey(screen, question, key);
  if (question.kind === 'notes') return onNotesKey(screen, question, key);
  const answered = onApprovalKey(screen, question, key);
  const isStopped = answered.effects.some(({ kind }) => kind === 'cancel');
  return isStopped ? { ...answered, screen: cancel(answered.screen).screen } : answered;
}

function onPromptKey(screen: Screen, key: Key, hint: string | undefined): KeyResult {
  const { composer } = screen;
  const word = wordOf(key);
  const isSearching = composer.search !== undefined;
  if (word === 'ctrl-c' && !isSearching) return interrupt(screen, hint);
  if (word === 'ctrl-d' && composer.editor.text === '' && !isSearching) {
    return keyResult(screen, { kind: 'quit' });
  }
  const isFree = composer.menu === undefined && !isSearching;
  if (word === 'escape' && isFree && !takesEscape(composer)) {
    return isIdle(screen) ? onIdleEscape(screen, hint) : cancel(screen);
  }
  if (word === 'shift-tab' && isFree) {
    return keyResult(screen, { kind: 'mode' });
  }
  if (word === 'ctrl-v' && !isSearching) return keyResult(screen, { kind: 'picture' });
  const composed = compose(composer, key, textColumns(screen.columns));
  switch (composed.kind) {
    case 'changed':
      return keyResult(
        { ...screen, composer: composed.composer },
        ...completionEffects(composer, composed.composer),
      );
    case 'submit':
      return keyResult(
        { ...screen, composer: composed.composer },
        { kind: 'forget-completion' },
        { kind: 'submit', text: composed.text },
      );
    case 'unused':
      return word === 'tab' ? keyResult(screen, completeEffect(composer)) : keyResult(screen);
    default:
      return composed satisfies never;
  }
}

function interrupt(screen: Screen, hint: string | undefined): KeyResult {
  if (hint === QUIT_HINT) return keyResult(screen, { kind: 'interrupt' });
  const isEmpty = screen.composer.editor.text === '';
  if (!isEmpty && screen.questions.length === 0) {
    return keyResult(
      { ...screen, composer: clear(screen.composer) },
      { kind: 'forget-completion' },
    );
  }
  const armed = keyResult({ ...screen, hint: QUIT_HINT }, { kind: 'hint-later' });
  if (screen.turn === undefined) return armed;
  const stopped = cancel(armed.screen);
  return keyResult(stopped.screen, ...armed.effects, ...stopped.effects);
}

function isIdle({ turn, commands, composer }: Screen): boolean {
  return turn === undefined && commands.length === 0 && composer.editor.text === '';
}

/** The second Escape in a row goes back to an earlier message. */
function onIdleEscape(screen: Screen, hint: string | undefined): KeyResult {
  const hasMessages = screen.finished.some(({ kind }) => kind === 'user');
  if (!hasMessages) return keyResult(screen);
  return hint === REWIND_HINT
    ? keyResult(screen, { kind: 'choose', line: '/rewind' })
    : keyResult({ ...screen, hint: REWIND_HINT }, { kind: 'hint-later' });
}

function cancel(screen: Screen): KeyResult {
  const { turn, commands } = screen;
  if (turn === undefined) return keyResult(screen, ...(commands.length === 0 ? [] : CANCEL));
  return keyResult(
    { ...withQueueInPrompt(screen), turn: { ...turn, isCancelled: true } },
    { kind: 'cancel' },
  );
}

/** Moves queued messages, which are cancelled with the turn, back into the prompt. */
function withQueueInPrompt(screen: Screen): Screen {
  const { waiting, composer } = screen;
  if (waiting.length === 0) return screen;
  const texts = [...waiting, composer.editor.text].filter((text) => text !== '');
  return { ...screen, composer: { ...clear(composer), editor: editorWith(texts.join('\n')) } };
}

function withoutHint({ hint: _, ...screen }: Screen): Screen {
  return screen;
}

/** Requests completions if the cursor is in a word that can be completed. */
function completionEffects(before: Composer, now: Composer): readonly Effect[] {
  const { text, cursor } = now.editor;
  if (text === before.editor.text && cursor === before.editor.cursor) return [];
  const isCompletable =
    /^\/|(?:^|\s)@\S*$/u.test(text.slice(0, cursor)) && now.recalled === undefined;
  return isCompletable && now.search === undefined
    ? [completeEffect(now)]
    : [{ kind: 'forget-completion' }];
}

function completeEffect({ editor }: Composer): Effect {
  return { kind: 'complete', text: editor.text, cursor: editor.cursor };
}
