// The one JSON document that a command prints for programs. docs/cli-json.md describes them all.

import type { Context } from '../context.ts';
import { escapeControls } from './sanitise.ts';

export function printJson({ terminal }: Context, document: unknown): void {
  terminal.out.write(`${escapeControls(JSON.stringify(document, undefined, 2))}\n`);
}
