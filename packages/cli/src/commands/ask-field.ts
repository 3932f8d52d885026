// Asks for one field of a form on a plain terminal, until the answer is valid. Used for forms of servers and for questions
// of plugins.

import { type InputField, type Json, readTyped } from '@plugboard/base';
import { ANOTHER_QUESTION, fieldScreen, problemWords } from '../print/question-screen.ts';
import type { Terminal } from '../terminal.ts';

export interface FieldAsking {
  readonly terminal: Pick<Terminal, 'err' | 'input'>;
  /** Whether the typed text is hidden. */
  readonly isHidden: boolean;
  /** The meaning of an empty line, if it is not the default of the field. */
  readonly fallback?: string;
  readonly signal?: AbortSignal;
}

export type FieldAnswer =
  /** Without a value, the field is left out. */
  { readonly kind: 'answered'; readonly value: Json | undefined } | { readonly kind: 'cancelled' };

export async function askField(field: InputField, asking: FieldAsking): Promise<FieldAnswer> {
  const { err } = asking.terminal;
  const { above, ask } = fieldScreen(field, asking);
  err.write(above);
  for (;;) {
    const typed = await askLine(asking, ask);
    if (typed === undefined) return { kind: 'cancelled' };
    const read = readTyped(field, typed);
    if (!read.ok) {
      err.write(`  ${problemWords(read.error)}\n`);
      continue;
    }
    const { value } = read;
    return field.kind === 'paths' && Array.isArray(value)
      ? askOthers(field, asking, value)
      : { kind: 'answered', value };
  }
}

/** Paths are typed one by one, since a path may contain any separator. */
async function askOthers(
  field: InputField,
  asking: FieldAsking,
  first: readonly Json[],
): Promise<FieldAnswer> {
  const value = [...first];
  for (;;) {
    const typed = await askLine(asking, ANOTHER_QUESTION);
    if (typed === undefined) return { kind: 'cancelled' };
    const read = readTyped({ ...field, isRequired: false }, typed);
    if (!read.ok) asking.terminal.err.write(`  ${problemWords(read.error)}\n`);
    else if (Array.isArray(read.value)) value.push(...(read.value as readonly Json[]));
    else return { kind: 'answered', value };
  }
}

function askLine(
  { terminal, isHidden, signal }: FieldAsking,
  question: string,
): Promise<string | undefined> {
  return terminal.input.ask(question, {
    ...(isHidden ? { hidden: true } : {}),
    ...(signal === undefined ? {} : { signal, onCtrlC: 'withdraw' }),
  });
}
