// What kind of file it is, as far as its text shows: a test has test constructs, a re-export hands on
// what others declare, generated code says so. A path alone decides only where the language does.

import { isGenerated } from './generated.ts';
import { isReexport } from './reexport.ts';
import { isTest } from './test-constructs.ts';

export interface FileTraits {
  readonly isTest: boolean;
  readonly isReexport: boolean;
  readonly isGenerated: boolean;
  readonly isDeclaration: boolean;
}

export interface FileToJudge {
  readonly path: string;
  readonly text: string;
  /** As in the table of languages. */
  readonly language: string | undefined;
}

/** The rest of a text is not examined: evidence stands early, and often. */
const MOST_CHARACTERS = 100_000;
const DECLARATIONS = /\.(?:d\.[cm]?ts|d\.[\w-]+\.ts|pyi)$/;

export function traitsOf({ path, text, language }: FileToJudge): FileTraits {
  const looked = text.slice(0, MOST_CHARACTERS);
  return {
    isTest: isTest(looked, language),
    isReexport: isReexport(looked, language),
    isGenerated: isGenerated(looked),
    isDeclaration: DECLARATIONS.test(path),
  };
}
