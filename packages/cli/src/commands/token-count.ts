// Counts tokens by the tokenizer of a model, for the families that publish theirs. The tables are in a package that is
// only used where it is installed beside the command, since it is larger than the command; otherwise tokens are
// estimated.

import { isObject } from '@plugboard/base';
import type { CountTokens } from '@plugboard/host/known-tools';

export interface TokenCount {
  /** Its name; `undefined` if tokens are estimated. */
  readonly tokenizer?: string;
  readonly count?: CountTokens;
}

/** A variable, so that the command is built and runs without it. */
const PACKAGE: string = 'gpt-tokenizer';

/** By the model's own name, behind its provider. */
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
