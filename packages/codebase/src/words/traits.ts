// The traits of a file, detected from its text: whether it is a test, a re-export or generated code. The path alone tells
// only declaration files.

import type { LanguageName } from '../chunk/index.ts';
import { isGenerated } from './generated.ts';
import { isReexport } from './reexport.ts';
import { isTest } from './test-constructs.ts';

export interface FileToJudge {
  readonly path: string;
  readonly text: string;
  readonly language: LanguageName | undefined;
}

/** The rest of a text is not examined, since evidence occurs early and often. */
const MOST_CHARACTERS = 100_000;
const DECLARATIONS = /\.(?:d\.[cm]?ts|d\.[\w-]+\.ts|pyi)$/;

/** Detects each trait. Indexes store traits by their position, so a new one has to be the last. */
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
  const beginning = { ...file, text: file.text.slice(0, MOST_CHARACTERS) };
  return eachTrait((trait) => TESTS[trait](beginning));
}

/** The traits of a file without text. */
export const NO_TRAITS: FileTraits = eachTrait(() => false);

export function traitBits(traits: FileTraits): number {
  return TRAITS.reduce((bits, trait, place) => bits | (traits[trait] ? 1 << place : 0), 0);
}

/** All combinations, so that files share these objects. */
const BY_BITS: readonly FileTraits[] = Array.from({ length: 1 << TRAITS.length }, (_, bits) =>
  eachTrait((_trait, place) => (bits & (1 << place)) !== 0),
);

export function traitsOfBits(bits: number): FileTraits {
  return BY_BITS[bits] ?? NO_TRAITS;
}

function eachTrait(has: (trait: Trait, place: number) => boolean): FileTraits {
  return Object.fromEntries(TRAITS.map((trait, place) => [trait, has(trait, place)])) as FileTraits;
}
