// Removes disguises from a text: l e t t e r s apart, digits for letters, words without spaces, reversed text, ROT13, marks
// inside words. Pure.

import { type Disguises, rotate } from './quick-look.ts';
import { VOCABULARY } from './vocabulary.ts';

const LETTERS: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '6': 'g', '7': 't', '8': 'b', '9': 'g' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'i', '+': 't' },
};
const SIGNS = /(?<=[a-z])[013456789@$!|+]|[013456789@$!|+](?=[a-z])/g;
const INSIDE = /(?<=[a-z])(?:[*~^\\|`]{1,3}|(?:<\/?[a-z]{1,8}>){1,3}|<!--.{0,40}?-->)(?=[a-z])/g;
const APART = /(?<![a-z0-9])(?:[a-z0-9@$!][^a-z0-9@$!]{1,4}){5,}[a-z0-9@$!](?![a-z0-9])/g;
const GLUED = /[a-z]{12,200}/g;
const LONGEST = 20_000;

/** Other readings of a result of `plainText`, without the text itself. */
export function undisguised(plain: string, disguises: Disguises): readonly string[] {
  const { isMixed, isApart, isGlued, isTurned } = disguises;
  const text = plain.slice(0, LONGEST);
  const letters = isMixed
    ? text.replaceAll(INSIDE, '').replaceAll(SIGNS, swapped).replaceAll(SIGNS, swapped)
    : text;
  const readings = [
    letters,
    ...(isApart
      ? [text.replaceAll(APART, joinLetters), letters.replaceAll(APART, joinLetters)]
      : []),
    ...(isGlued || isMixed ? [letters.replaceAll(GLUED, split)] : []),
    ...(isTurned ? [reversed(letters), rot13(text)] : []),
  ];
  return [...new Set(readings)].filter((reading) => reading !== text);
}

function swapped(sign: string): string {
  return LETTERS[sign] ?? sign;
}

/** The shortest separators are between letters, longer ones between words. */
function joinLetters(apart: string): string {
  const between = apart.match(/[^a-z0-9@$!]+/g) ?? [];
  const shortest = Math.min(...between.map(({ length }) => length));
  const joined = apart.replaceAll(/[^a-z0-9@$!]+/g, (part) => (part.length > shortest ? ' ' : ''));
  return joined.replaceAll(SIGNS, swapped).replaceAll(GLUED, split);
}

/** Separates known words that are written without spaces. */
function split(glued: string): string {
  let words = '';
  for (let at = 0; at < glued.length;) {
    const length = VOCABULARY.lengthOfWordAt(glued, at);
    words += length === 0 ? glued.charAt(at) : ` ${glued.slice(at, at + length)}`;
    at += Math.max(1, length);
  }
  return words;
}

function rot13(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(rotate(letter.charCodeAt(0))));
}

function reversed(text: string): string {
  return text.split('').toReversed().join('');
}
