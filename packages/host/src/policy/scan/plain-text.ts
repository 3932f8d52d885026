// Normalises a text to what its reader understands: full-width letters, letters of other alphabets that look like Latin
// ones, and invisible characters inside words. Pure.

/** Letters of other alphabets that look like Latin ones. */
const SMALL: Readonly<Record<string, string>> = {
  ...{
    а: 'a',
    в: 'b',
    ь: 'b',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    ё: 'e',
    є: 'e',
    һ: 'h',
    н: 'h',
    і: 'i',
    ї: 'i',
  },
  ...{
    ј: 'j',
    к: 'k',
    ӏ: 'l',
    м: 'm',
    п: 'n',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    г: 'r',
    ѕ: 's',
    т: 't',
    ц: 'u',
  },
  ...{ ѵ: 'v', ԝ: 'w', ш: 'w', х: 'x', у: 'y', и: 'n', я: 'r', з: '3', ғ: 'f', ƒ: 'f' },
  ...{
    α: 'a',
    β: 'b',
    ς: 's',
    δ: 'd',
    ε: 'e',
    γ: 'y',
    η: 'n',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
  },
  ...{ σ: 'o', τ: 't', υ: 'u', χ: 'x', ω: 'w', μ: 'u', ϲ: 'c', ϳ: 'j', θ: 'o', ζ: 'z', π: 'n' },
  ...{
    ո: 'n',
    օ: 'o',
    ս: 'u',
    հ: 'h',
    ց: 'g',
    յ: 'j',
    զ: 'q',
    ա: 'w',
    ր: 'n',
    ӓ: 'a',
    ӧ: 'o',
    ҽ: 'e',
  },
  ...{
    ɑ: 'a',
    ɡ: 'g',
    ı: 'i',
    ɩ: 'i',
    ɪ: 'i',
    ʟ: 'l',
    ɴ: 'n',
    ʀ: 'r',
    ᴀ: 'a',
    ʙ: 'b',
    ᴄ: 'c',
    ᴅ: 'd',
  },
  ...{
    ᴇ: 'e',
    ꜰ: 'f',
    ɢ: 'g',
    ʜ: 'h',
    ᴊ: 'j',
    ᴋ: 'k',
    ᴍ: 'm',
    ᴏ: 'o',
    ᴘ: 'p',
    ꜱ: 's',
    ᴛ: 't',
    ᴜ: 'u',
  },
  ...{
    ᴠ: 'v',
    ᴡ: 'w',
    ʏ: 'y',
    ᴢ: 'z',
    ł: 'l',
    đ: 'd',
    ø: 'o',
    ħ: 'h',
    ŧ: 't',
    ɛ: 'e',
    ɔ: 'c',
    ə: 'e',
  },
  ...{ ǝ: 'e', ɐ: 'a', ʇ: 't', ʌ: 'v', ß: 'ss', æ: 'ae', œ: 'oe', ℮: 'e', ⲟ: 'o', ꭵ: 'i', ɯ: 'm' },
};
const LARGE: Readonly<Record<string, string>> = {
  ...{
    Α: 'a',
    Β: 'b',
    Ε: 'e',
    Ζ: 'z',
    Η: 'h',
    Ι: 'i',
    Κ: 'k',
    Μ: 'm',
    Ν: 'n',
    Ο: 'o',
    Ρ: 'p',
    Τ: 't',
  },
  ...{
    Υ: 'y',
    Χ: 'x',
    В: 'b',
    Н: 'h',
    У: 'y',
    Ү: 'y',
    Ꭺ: 'a',
    Ᏼ: 'b',
    Ꮯ: 'c',
    Ꭰ: 'd',
    Ꭼ: 'e',
    Ꮐ: 'g',
  },
  ...{
    Ꮋ: 'h',
    Ꭵ: 'i',
    Ꭻ: 'j',
    Ꮶ: 'k',
    Ꮮ: 'l',
    Ꮇ: 'm',
    Ꮲ: 'p',
    Ꭱ: 'r',
    Ꮪ: 's',
    Ꭲ: 't',
    Ꮩ: 'v',
    Ꮃ: 'w',
  },
};
const UNSEEN =
  /[\p{Cf}\p{Co}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u{20DD}-\u{20E4}\u{3164}\u{115F}\u{1160}]/gu;
/** Combining marks on Latin letters, which stay readable. */
const MARKS = /(?<=[a-z])[\u0300-\u036F]+/g;
const MARKED = /[\u00C0-\u024F\u1E00-\u1EFF]/g;
const PLAIN = /^[\t\n\r -~]*$/;
const LETTERS = /[\p{L}\p{M}]+/gu;
const BEYOND_LATIN =
  /[\u0180-\u02AF\u0370-\u058F\u13A0-\u13FF\u1D00-\u1D2B\u212E\u2C80-\u2CFF\uA730\uA731\uAB30-\uABBF]/;
/** Letters in squares, and the letters of flags. */
const PICTURED = /[\u{1F1E6}-\u{1F1FF}\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}]/gu;
const PICTURED_ALPHABETS = [0x1_f1_e6, 0x1_f1_50, 0x1_f1_70];
/** Tag letters: invisible to users, but read by a model. */
const TAGS = /[\u{E0020}-\u{E007E}]/gu;

export function plainText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const composed = text
    .replaceAll(TAGS, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe_0000))
    .replaceAll(PICTURED, pictured)
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .replaceAll(/[‘’‛`´ʼ]/g, "'");
  const latin = BEYOND_LATIN.test(composed) ? composed.replaceAll(LETTERS, mixedInLatin) : composed;
  return latin
    .toLowerCase()
    .replaceAll(MARKED, (letter) => SMALL[letter] ?? letter.normalize('NFKD'))
    .replaceAll(MARKS, '');
}

function pictured(picture: string): string {
  const code = picture.codePointAt(0) ?? 0;
  const alphabet = PICTURED_ALPHABETS.find((first) => code >= first && code < first + 26) ?? code;
  return String.fromCodePoint(0x61 + code - alphabet);
}

/** A word that mixes Latin letters with those of another alphabet is meant to be read as Latin. */
function mixedInLatin(word: string): string {
  if (!/[A-Za-z]/.test(word) || !BEYOND_LATIN.test(word)) return word;
  return word.replaceAll(/./gu, alike);
}

function alike(letter: string): string {
  return LARGE[letter] ?? SMALL[letter.toLowerCase()] ?? letter;
}

/** The Latin word that a word of another alphabet looks like; `undefined` if it does not look like one. */
export function looksLike(word: string): string | undefined {
  const latin = word.replaceAll(/./gu, alike);
  return /^[a-z0-9]+$/.test(latin) ? latin : undefined;
}
