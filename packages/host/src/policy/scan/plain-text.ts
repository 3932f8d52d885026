// A text as its reader understands it, however it is written: in full width, with letters of another
// alphabet that look the same, with something unseen inside the words. Pure.

/** Letters of other alphabets that pass for Latin ones; only the common ones, in small letters. */
const LOOK_ALIKE: Readonly<Record<string, string>> = {
  ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm' },
  ...{ п: 'n', о: 'o', р: 'p', ԛ: 'q', г: 'r', ѕ: 's', т: 't', ц: 'u', ѵ: 'v', ԝ: 'w', х: 'x' },
  ...{ у: 'y', α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x' },
};
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const WORD = /\p{L}+/gu;
const UNSEEN = /[\p{Cf}\p{Co}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;
/** Marks over and under Latin letters leave them readable. */
const MARKS = /(?<=[a-z])[\u0300-\u036F]+/g;
const MARKED = /[\u00C0-\u024F\u1E00-\u1EFF]/g;
const PLAIN = /^[\t\n\r -~]*$/;

export function plainText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const plain = text
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .replaceAll(/[‘’‛`´]/g, "'")
    .toLowerCase()
    .replaceAll(MARKED, (letter) => letter.normalize('NFKD'))
    .replaceAll(MARKS, '');
  if (!FOREIGN.test(plain)) return plain;
  // A word of one alphabet with letters of another in it is meant to be read in the first.
  return plain.replaceAll(WORD, (word) =>
    /[a-z]/.test(word) || isAllAlike(word)
      ? word.replaceAll(/./gu, (letter) => LOOK_ALIKE[letter] ?? letter)
      : word,
  );
}

/** A word of another alphabet that has no letter of its own in it is as good as a Latin one. */
function isAllAlike(word: string): boolean {
  return word.length > 3 && !/[^асеорхуіјѕһԁԛԝ]/u.test(word);
}

/**
 * Sentences, or what stands in a paragraph of its own. A path or an address stays whole. What is longer
 * than `longest` is cut.
 */
export function sentencesOf(text: string, longest: number): readonly string[] {
  const joined = text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/(?<=[\w,;:]) ?\n ?(?=[a-z(`'"~])/g, ' ');
  return joined
    .split(/(?<=[.!?;])\s+|\s*\n+\s*|(?<=[。！？；])/u)
    .flatMap((part) => (part.length > longest ? pieces(part, longest) : part === '' ? [] : [part]));
}

function pieces(text: string, length: number): readonly string[] {
  const count = Math.ceil(text.length / length);
  return Array.from({ length: count }, (_, at) => text.slice(at * length, (at + 1) * length));
}
