// The one JSON document that a command prints for programs.

import type { Context } from '../context.ts';

export function printJson({ terminal }: Context, document: unknown): void {
  terminal.out(`${JSON.stringify(document, undefined, 2)}\n`);
}
