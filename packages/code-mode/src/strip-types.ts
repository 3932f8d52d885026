// TypeScript to JavaScript by writing blanks over the types, so that every line and column stays where it was. Nothing is
// checked. The library takes 25 MB and is loaded only for a script that is not plain JavaScript.

import { isObject, messageOf, err, ok, type Result } from '@plugboard/base';
import type { ScriptError } from './script.ts';

/** `f<T>(x)` is JavaScript, too, and compares twice there. */
const TYPE_ARGUMENTS = /[\w$]\s*<[^<>;]*(?:<[^<>;]*>[^<>;]*)*>\s*[(`]/;

export function mayHaveTypeArguments(code: string): boolean {
  return TYPE_ARGUMENTS.test(code);
}

export async function loadTypeStripper(): Promise<
  (wrapped: string) => Result<string, ScriptError>
> {
  const { transformSync } = await import('@swc/wasm-typescript');
  return (wrapped) => {
    try {
      return ok(transformSync(wrapped, { mode: 'strip-only', module: true }).code);
    } catch (thrown) {
      // It runs on the same stack as the script, and is as deep as what it reads.
      if (thrown instanceof Error) throw thrown;
      return err(readProblem(thrown));
    }
  };
}

function readProblem(thrown: unknown): ScriptError {
  const fields = isObject(thrown) ? thrown : {};
  const { message, startLine, startColumn } = fields;
  return {
    name: 'SyntaxError',
    message: typeof message === 'string' ? message : messageOf(thrown),
    line: typeof startLine === 'number' ? startLine : 0,
    column: typeof startColumn === 'number' ? startColumn + 1 : 0,
    stack: '',
  };
}
