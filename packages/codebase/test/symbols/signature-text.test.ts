import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { signatureAt } from '../../src/symbols/index.ts';

describe('the signature of a declaration', () => {
  verifies('COD-16');

  it.each([
    ['export function f(a: string): void {\n  body();\n}', 'export function f(a: string): void'],
    ['def f(\n    a: int,\n    b=1,\n) -> int:\n    return a', 'def f(a: int, b=1) -> int:'],
    ['class A extends B {', 'class A extends B'],
    ['type Names = readonly string[];', 'type Names = readonly string[]'],
    ['fn f(x: u8) -> u8 { x }', 'fn f(x: u8) -> u8 { x }'],
  ])('is one line without the body: %j', (text, signature) => {
    expect(signatureAt(text.split('\n'), 1)).toBe(signature);
  });

  it('is cut if it is long, and empty if there is no such line', () => {
    expect(signatureAt([`const x = [${'1, '.repeat(500)}`], 1)).toHaveLength(201);
    expect(signatureAt([], 5)).toBe('');
  });
});
