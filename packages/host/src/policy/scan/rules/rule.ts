// A rule: the patterns to find in a sentence, their weight, and sentences that must and must not match. The test of the
// rules reads the examples; the scanner reads the rest.

export interface Rule {
  readonly name: string;
  readonly sign: SignKind;
  /** weigh.ts has the thresholds. */
  readonly weight: number;
  /**
   * Meanings (in capitals, see words/) and words, in this order: a space allows two other words between
   * them, `..` five, `...` fourteen; `|` separates alternatives. With `&` they may be in any order within fifteen words.
   */
  readonly says: readonly string[];
  readonly finds: readonly string[];
  readonly passes: readonly string[];
}

/** A pattern of characters, which rules use like a meaning under its name. */
export interface Shape {
  readonly name: string;
  /** Words and characters: a text with the shape contains one of the words and one of the characters. */
  readonly hints: string;
  readonly pattern: RegExp;
  readonly finds: readonly string[];
  readonly passes: readonly string[];
}

export type SignKind =
  /** Drop the instructions. */
  | 'override'
  /** Reveal the instructions. */
  | 'prompt-leak'
  /** Keep it from the user. */
  | 'conceal'
  /** Act without asking the user. */
  | 'unasked'
  /** Text that poses as another speaker: the system, the user, the developer. */
  | 'role'
  /** Marked as more than a description. */
  | 'tag'
  /** Orders the model to do something. */
  | 'address'
  /** Private data. */
  | 'secret'
  /** Obtain data. */
  | 'fetch'
  /** Send data away, in an argument or otherwise. */
  | 'carry'
  /** Also send processed data to a third party. */
  | 'away'
  /** Change what other tools do, or which tool is used first. */
  | 'steer'
  /** Discredit other tools. */
  | 'rival'
  /** Become active later, when the tool is no longer reviewed. */
  | 'dormant'
  /** Threaten or urge. */
  | 'coerce'
  /** Admit to being harmful. */
  | 'harm';

/** Kinds that only add to others. */
export const SIDE_KINDS: ReadonlySet<SignKind> = new Set(['address', 'coerce', 'tag', 'unasked']);
