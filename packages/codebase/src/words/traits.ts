// What kind of file it is, as far as its text shows: a test has test constructs, a re-export hands on
// what others declare, generated code says so. A path alone decides only where the language does.

import { isGenerated } from './generated.ts';
import { isReexport } from './reexport.ts';
import { isTest } from './test-constructs.ts';

export interface FileToJudge {
  readonly path: string;
  readonly text: string;
  /** As in the table of languages. */
  readonly language: string | undefined;
}

/** The rest of a text is not examined: evidence stands early, and often. */
const MOST_CHARACTERS = 100_000;
const DECLARATIONS = /\.(?:d\.[cm]?ts|d\.[\w-]+\.ts|pyi)$/;

/** How each trait is told. A new one comes last: stored files have them by their places. */
const TESTS = {
  isTest: ({ text, language }) => isTest(text, language),
  isReexport: ({ text, language }) => isReexport(text, language),
  isGenerated: ({ text }) => isGenerated(text),
  isDeclaration: ({ path }) => DECLARATIONS.test(path),
} as const satisfies Readonly<Record<string, (file: FileToJudge) => boolean>>;

type Trait = keyof typeof TESTS;
export type FileTraits = Readonly<Record<Trait, boolean>>;

const TRAITS = Object.keys(TESTS) as readonly Trait[];

export function traitsOf(file: FileToJudge): FileTraits {
  const looked = { ...file, text: file.text.slice(0, MOST_CHARACTERS) };
  return eachTrait((trait) => TESTS[trait](looked));
}

/** Of a file whose text is not known. */
export const NO_TRAITS: FileTraits = eachTrait(() => false);

export function traitBits(traits: FileTraits): number {
  return TRAITS.reduce((bits, trait, place) => bits | (traits[trait] ? 1 << place : 0), 0);
}

/** There are few, and they are asked for with every file. */
const BY_BITS: readonly FileTraits[] = Array.from({ length: 1 << TRAITS.length }, (_, bits) =>
  eachTrait((_trait, place) => (bits & (1 << place)) !== 0),
);

export function traitsOfBits(bits: number): FileTraits {
  return BY_BITS[bits] ?? NO_TRAITS;
}

function eachTrait(has: (trait: Trait, place: number) => boolean): FileTraits {
  return Object.fromEntries(TRAITS.map((trait, place) => [trait, has(trait, place)])) as FileTraits;
}
