// Text as BERT's uncased tokenizer sees it before it looks anything up: cleaned, without accents, in lower case,
// taken apart at white space, punctuation and Chinese characters. The same steps in the same order as in the
// `BertNormalizer` and `BertPreTokenizer` of Hugging Face's tokenizers, which the model was trained with.

/** Control, format and private characters; not the unassigned ones, which stay. Lone surrogates are no text. */
const DROPPED = /[\0\uFFFD\p{Cf}\p{Co}\p{Cs}]|(?![\t\n\r])\p{Cc}/gu;
const WHITE_SPACE = /\p{White_Space}/gu;
/** The blocks as that library has them, including that one of them begins 256 characters late. */
const CHINESE =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;
const ACCENT = /\p{Mn}/gu;
const BEYOND_ASCII = /[^\0-\x7F]/;
const ASCII_CONTROL = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/g;
const ASCII_WORD = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g;
/** Signs such as `$` and `+` are symbols in Unicode; those of ASCII count as punctuation here. */
const WORD = /[!-/:-@[-`{-~\p{P}]|[^ !-/:-@[-`{-~\p{P}]+/gu;

/** The words and marks of a text, one at a time, so that the caller can stop early. */
export function* bertWords(text: string): Generator<string> {
  const isPlain = !BEYOND_ASCII.test(text);
  const normal = isPlain ? text.replace(ASCII_CONTROL, '').toLowerCase() : normalise(text);
  for (const [word] of normal.matchAll(isPlain ? ASCII_WORD : WORD)) yield word;
}

function normalise(text: string): string {
  const clean = text.replace(DROPPED, '').replace(WHITE_SPACE, ' ');
  const bare = clean.replace(CHINESE, ' $& ').normalize('NFD').replace(ACCENT, '');
  // JavaScript writes the last sigma of a word differently; the tokenizer goes character by character.
  return bare.replaceAll('Σ', 'σ').toLowerCase();
}
