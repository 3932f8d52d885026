// Types are removed, and everything else stays where it was.

import { expect, test } from 'vitest';
import { stripTypes, TYPES_TO_WARM_UP } from '../src/strip-types.ts';

test.each([
  ['a declaration', 'const one: number = 1;', 'const one         = 1;'],
  ['an interface', 'interface A {\n  b: string\n}\nc();', '             \n           \n \nc();'],
  ['type arguments', 'f<string>("ä");', 'f        ("ä");'],
])('%s becomes blanks of the same length', (_, code, expected) => {
  expect(stripTypes(code)).toEqual({ ok: true, value: expected });
});

test('the code that a spare thread strips in advance is valid and keeps its length', () => {
  const stripped = stripTypes(TYPES_TO_WARM_UP);
  const shape = (text: string): readonly number[] => text.split('\n').map((line) => line.length);
  expect(stripped.ok && shape(stripped.value)).toEqual(shape(TYPES_TO_WARM_UP));
});

test('code that is neither JavaScript nor TypeScript is refused with its place', () => {
  expect(stripTypes('a;\nconst = 2;')).toMatchObject({ ok: false, error: { line: 2, column: 7 } });
});
