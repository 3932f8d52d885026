// The messages for the errors of the JSONC parser: what is wrong at the position, and how to correct it.

import type { SyntaxProblem } from './document.ts';

export interface SyntaxMessage {
  readonly message: string;
  readonly suggestion: string;
}

export function syntaxMessage(kind: SyntaxProblem['kind']): SyntaxMessage {
  return MESSAGES[kind];
}

const MESSAGES: Readonly<Record<SyntaxProblem['kind'], SyntaxMessage>> = {
  InvalidSymbol: {
    message: 'This is not valid JSON.',
    suggestion: 'Put names and text in double quotes; only true, false and null go without.',
  },
  InvalidNumberFormat: {
    message: 'This is not a number that JSON knows.',
    suggestion: 'Write it like 30 or 1.5, or put it in double quotes.',
  },
  PropertyNameExpected: {
    message: 'A name in double quotes is expected here.',
    suggestion: 'Write it like "command": "npx".',
  },
  ValueExpected: {
    message: 'A value is missing here.',
    suggestion: 'Add the value, or remove the name or the comma before it.',
  },
  ColonExpected: {
    message: 'A colon is expected between a name and its value.',
    suggestion: 'Write it like "command": "npx".',
  },
  CommaExpected: {
    message: 'A comma is missing before this.',
    suggestion: 'Add a comma after what comes before.',
  },
  CloseBraceExpected: {
    message: 'The file ends while a "{" is still open.',
    suggestion: 'Add the missing "}".',
  },
  CloseBracketExpected: {
    message: 'The file ends while a "[" is still open.',
    suggestion: 'Add the missing "]".',
  },
  EndOfFileExpected: {
    message: 'There is more text after the end of the document.',
    suggestion: 'Look for a "}" too many before this place, or remove what follows.',
  },
  InvalidCommentToken: {
    message: 'A comment is not allowed here.',
    suggestion: 'Remove the comment.',
  },
  UnexpectedEndOfComment: {
    message: 'A comment is never closed.',
    suggestion: 'Close it with */.',
  },
  UnexpectedEndOfString: {
    message: 'A text is not closed on its line.',
    suggestion: 'Add the closing double quote; write a line break in a text as \\n.',
  },
  UnexpectedEndOfNumber: {
    message: 'A number is not finished.',
    suggestion: 'Write it like 30 or 1.5, or put it in double quotes.',
  },
  InvalidUnicode: {
    message: 'This is not a Unicode escape.',
    suggestion: 'Write \\u and four hexadecimal digits.',
  },
  InvalidEscapeCharacter: {
    message: 'A backslash is followed by something that JSON does not know.',
    suggestion: 'Write a backslash in a text twice: C:\\\\tools.',
  },
  InvalidCharacter: {
    message: 'A text holds a control character.',
    suggestion: 'Write a tab as \\t and a line break as \\n.',
  },
  '<unknown ParseErrorCode>': {
    message: 'This is not valid JSON.',
    suggestion: 'Check the text around this place.',
  },
};
