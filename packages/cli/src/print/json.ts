// Prints JSON for programs: one document, or one event per line. docs/cli-json.md describes all of them.

import { isObject } from '@plugboard/base';
import type { Context } from '../context.ts';
import { declinedOf } from './declined.ts';
import { escapeControls } from './sanitise.ts';

export function printJson(context: Context, document: unknown): void {
  const isEvent = context.json === 'events';
  const declined = isEvent ? [] : declinedOf(context);
  // Unanswered questions of servers may explain the rest of the document.
  const whole = declined.length === 0 || !isObject(document) ? document : { ...document, declined };
  const text = isEvent ? JSON.stringify(whole) : JSON.stringify(whole, undefined, 2);
  context.terminal.out.write(`${escapeControls(text)}\n`);
}
