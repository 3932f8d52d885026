// What servers, and the SDK about them, write into failures: never more than a few lines of it. Pure.

const SHOWN_LENGTH = 300;

/** On one line. The SDK puts whole validation reports into its messages, and a header may have 16 kB. */
export function firstWords(text: string): string {
  return text
    .slice(0, 4 * SHOWN_LENGTH)
    .replaceAll(/\s+/g, ' ')
    .slice(0, SHOWN_LENGTH);
}
