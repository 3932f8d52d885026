import { describe, expect, it } from 'vitest';
import { type InputField, readTyped } from '../src/index.ts';

const FACTS = { name: 'it', title: 'It', description: undefined, isRequired: false } as const;
const TEXT: InputField = {
  ...FACTS,
  kind: 'text',
  format: undefined,
  minLength: undefined,
  maxLength: 5,
  default: undefined,
  soundsSecret: false,
};
const NUMBER: InputField = {
  ...FACTS,
  kind: 'number',
  isInteger: true,
  minimum: 1,
  maximum: undefined,
  default: 3,
};
const YES_OR_NO: InputField = { ...FACTS, kind: 'boolean', default: undefined };
const OPTIONS = [
  { value: 'r', title: 'Red' },
  { value: 'b', title: 'Blue' },
];
const CHOICE: InputField = { ...FACTS, kind: 'choice', options: OPTIONS, default: undefined };
const CHOICES: InputField = {
  ...FACTS,
  kind: 'choices',
  options: OPTIONS,
  minItems: undefined,
  maxItems: undefined,
  default: undefined,
};
const PATHS: InputField = { ...FACTS, kind: 'paths', what: 'file', default: undefined };

describe('a typed line', () => {
  it.each<[string, InputField, string, unknown]>([
    ['a text without the spaces around it', TEXT, ' a b ', 'a b'],
    ['a secret with the spaces around it', { ...TEXT, soundsSecret: true }, ' ab ', ' ab '],
    ['a number', NUMBER, ' 1e1 ', 10],
    ['a yes', YES_OR_NO, 'Y', true],
    ['a no', YES_OR_NO, 'false', false],
    ['a choice by its number', CHOICE, '2', 'b'],
    ['a choice by its title', CHOICE, 'red', 'r'],
    ['several choices', CHOICES, '1, blue,', ['r', 'b']],
    ['one path of several', PATHS, 'a, b', ['a, b']],
    ['the default if it is empty', NUMBER, ' ', 3],
    ['nothing if it is empty and there is no default', TEXT, '', undefined],
  ])('is read as %s', (_what, field, typed, value) => {
    expect(readTyped(field, typed)).toEqual({ ok: true, value });
  });

  it.each<[string, InputField, string, unknown]>([
    ['is empty though an answer is needed', { ...TEXT, isRequired: true }, '', { kind: 'missing' }],
    ['is too long', TEXT, 'abcdef', { kind: 'too-long', limit: 5 }],
    ['is no number', NUMBER, '0x10', { kind: 'wrong-type', wanted: 'number' }],
    ['is no whole number', NUMBER, '1.5', { kind: 'wrong-type', wanted: 'integer' }],
    ['is neither yes nor no', YES_OR_NO, 'perhaps', { kind: 'wrong-type', wanted: 'boolean' }],
    ['is none of the choices', CHOICE, '3', { kind: 'not-offered', value: '3' }],
    ['names a choice twice', CHOICES, '1,red', { kind: 'chosen-twice', value: 'r' }],
  ])('is refused if it %s', (_what, field, typed, error) => {
    expect(readTyped(field, typed)).toEqual({ ok: false, error });
  });
});
