// Finds characters that a user does not see but a model reads. Several of them belong to ordinary text in some
// places: a joiner inside an emoji or between joining letters, a direction mark in right-to-left text, a tag in a flag.
// Pure.

export interface HiddenCharacter {
  readonly index: number;
  readonly severity: 'danger' | 'notice';
}

/** The first hidden character that is a danger, or else the first one. */
export function hiddenIn(text: string): HiddenCharacter | undefined {
  if (firstIn(text) === undefined) return undefined;
  return firstIn(withoutOrdinary(text));
}

/** The indexes, in code units, of hidden characters that do not belong to ordinary text. */
export function hiddenPlaces(text: string): readonly number[] {
  const plain = withoutOrdinary(text);
  const places: number[] = [];
  for (let index = 0; index < plain.length; index += 1) {
    const code = plain.codePointAt(index) ?? 0;
    if (severityOf(code) !== undefined) places.push(index);
    if (code > 0xffff) index += 1;
  }
  return places;
}

function firstIn(text: string): HiddenCharacter | undefined {
  let first: HiddenCharacter | undefined;
  let selectors = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.codePointAt(index) ?? 0;
    // One selector chooses the form of a character; several in a row encode bytes.
    selectors = isSelector(code) ? selectors + 1 : 0;
    const severity = selectors > 1 ? 'danger' : severityOf(code);
    if (severity === 'danger') return { index, severity };
    if (severity === 'notice') first ??= { index, severity };
    if (code > 0xffff) index += 1;
  }
  return first;
}

function severityOf(code: number): HiddenCharacter['severity'] | undefined {
  if (code >= 0x20 && code <= 0x7e) return undefined;
  if (DANGER.some(([from, to]) => code >= from && code <= to)) return 'danger';
  return NOTICE.some(([from, to]) => code >= from && code <= to) ? 'notice' : undefined;
}

type Range = readonly [from: number, to: number];

const DANGER: readonly Range[] = [
  // Control characters, except tabs and line breaks.
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  // Zero-width characters, which split words for a filter or encode bits.
  [0x20_0b, 0x20_0d],
  [0x20_60, 0x20_60],
  [0xfe_ff, 0xfe_ff],
  [0x18_0e, 0x18_0e],
  // Direction overrides and isolates.
  [0x20_2a, 0x20_2b],
  [0x20_2d, 0x20_2e],
  [0x20_66, 0x20_69],
  // Invisible operators, fillers, and annotation marks.
  [0x20_61, 0x20_65],
  [0x20_6a, 0x20_6f],
  [0x03_4f, 0x03_4f],
  [0x11_5f, 0x11_60],
  [0x17_b4, 0x17_b5],
  [0x31_64, 0x31_64],
  [0xff_a0, 0xff_a0],
  [0xff_f0, 0xff_fb],
  [0x1_bca0, 0x1_bca3],
  [0x1_d173, 0x1_d17a],
  // Private use, tags, and further selectors, which nobody types.
  [0xe0_00, 0xf8_ff],
  [0xe_0000, 0xe_0fff],
  [0xf_0000, 0x10_ffff],
];

const NOTICE: readonly Range[] = [
  [0x00_ad, 0x00_ad],
  [0x06_1c, 0x06_1c],
  [0x18_0b, 0x18_0f],
  [0x20_0e, 0x20_0f],
  [0x20_2c, 0x20_2c],
  [0xfe_00, 0xfe_0f],
];

function isSelector(code: number): boolean {
  return (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0x18_0b && code <= 0x18_0f);
}

/** Replaces hidden characters that belong to ordinary text by letters, so that positions stay the same. */
function withoutOrdinary(text: string): string {
  return ORDINARY.reduce(
    (plain, pattern) => plain.replaceAll(pattern, (found) => 'x'.repeat(found.length)),
    text,
  );
}

const ORDINARY = [
  // The flags of England, Scotland and Wales: a black flag, letters as tags, and the tag that ends it.
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu,
  // Emoji: joined ones, and those with a variation selector.
  /\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0E\uFE0F]*(?:\u200D\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0E\uFE0F]*)+/gu,
  /[\p{Emoji}\p{Extended_Pictographic}\p{So}\p{Sm}\p{Po}\d#*][\uFE0E\uFE0F]\u20E3?(?![\uFE00-\uFE0F])/gu,
  // Variants of an ideograph.
  /\p{Script=Han}[\u{E0100}-\u{E01EF}](?![\u{E0100}-\u{E01EF}])/gu,
  // Joiners between letters of scripts that need them.
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Sinhala}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Khmer}\p{Script=Mongolian}\p{M}])[\u200C\u200D]/gu,
  // Word breaks in scripts without spaces.
  /(?<=[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])\u200B/gu,
  // Direction marks beside right-to-left letters.
  /[\u200E\u200F\u061C](?=\s*[\p{Script=Arabic}\p{Script=Hebrew}])/gu,
  /(?<=[\p{Script=Arabic}\p{Script=Hebrew}]\s*)[\u200E\u200F\u061C]/gu,
  // A byte order mark at the start of a file.
  /^\uFEFF/gu,
];
