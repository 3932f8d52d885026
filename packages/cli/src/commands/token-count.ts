// Counts tokens with the tokenizer of a model, if it is published. The package with the tables is larger than the command, so
// it is used only if it is installed beside the command. Otherwise tokens are estimated.

import { isObject } from '@plugboard/base';
import type { CountTokens } from '@plugboard/host/known-tools';

export interface TokenCount {
  /** The name of the tokenizer. `undefined` if tokens are estimated. */
  readonly tokenizer?: string;
  readonly count?: CountTokens;
}

/** A variable, so that the command can be built and run without the package. */
const PACKAGE: string = 'gpt-tokenizer';

/** Matches the name of the model after its provider. */
const ENCODINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)(?:gpt-4o|gpt-4\.|gpt-[5-9]|gpt-oss|chatgpt-|o\d)/u, 'o200k_base'],
  [/(?:^|\/)gpt-(?:4|3\.5)/u, 'cl100k_base'],
];

/** Never rejects. `model` is `provider/name`. */
export async function tokenCount(model: string | undefined): Promise<TokenCount> {
  const [, tokenizer] = ENCODINGS.find(([names]) => model !== undefined && names.test(model)) ?? [];
  if (tokenizer === undefined) return {};
  try {
    const loaded: unknown = await import(`${PACKAGE}/encoding/${tokenizer}`);
    const count = isObject(loaded) ? loaded['countTokens'] : undefined;
    return typeof count === 'function' ? { tokenizer, count: count as CountTokens } : {};
  } catch {
    // It is not installed.
    return {};
  }
}
