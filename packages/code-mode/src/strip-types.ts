// Turns TypeScript into JavaScript by replacing types with blanks, so that all lines and columns stay the same. It checks no
// types.

import { createRequire } from 'node:module';
import type * as Stripper from '@swc/wasm-typescript';
import { isObject, messageOf, err, ok, type Result } from '@plugboard/base';
import type { ScriptError } from './script.ts';

/** `f<T>(x)` is also valid JavaScript: two comparisons. */
const TYPE_ARGUMENTS = /[\w$]\s*<[^<>;]*(?:<[^<>;]*>[^<>;]*)*>\s*[(`]/;

export function mayHaveTypeArguments(code: string): boolean {
  return TYPE_ARGUMENTS.test(code);
}

/**
 * Stripping this in advance saves 30 ms at the start of a script: it loads the library and compiles the code that it
 * needs.
 */
export const TYPES_TO_WARM_UP = `interface A { readonly b?: string | number; c: Array<{ d: unknown }> }
type E = Record<string, A> & Partial<A>;
(async <T extends A>(f: T, g?: (h: string) => Promise<void>): Promise<E> => {
  const i = ((await f) as unknown as E[])!.map(({ b }: A) => b satisfies string);
  for (const [j, k] of Object.entries<string>(i as any)) if (j) console.log(\`\${k}\`);
  return new Map<string, A>() as any;
})`;

export function stripTypes(wrapped: string): Result<string, ScriptError> {
  const { transformSync } = load();
  try {
    return ok(transformSync(wrapped, { mode: 'strip-only', module: true }).code);
  } catch (thrown) {
    // For example a stack overflow, since the stripper recurses as deep as the code.
    if (thrown instanceof Error) throw thrown;
    return err(readProblem(thrown));
  }
}

/** With `import`, Node would search the library's 3.7 MB for exported names, which takes longer than all the rest. */
function load(): typeof Stripper {
  return createRequire(import.meta.url)('@swc/wasm-typescript') as typeof Stripper;
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
