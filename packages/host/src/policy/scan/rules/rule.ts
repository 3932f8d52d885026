// A rule: what to look for in a sentence, how much it says, and sentences in which it must and must not be
// found. The test of the rules reads the examples; the engine reads the rest.

export interface Rule {
  readonly name: string;
  readonly sign: SignKind;
  /** What is enough is told in weigh.ts. */
  readonly weight: number;
  /**
   * Meanings (in capitals, see words/) and words, in this order: a space lets two other words stand between
   * them, `..` five, `...` fourteen; `|` parts alternatives. With `&` they stand in any order within fifteen.
   */
  readonly says: readonly string[];
  readonly finds: readonly string[];
  readonly passes: readonly string[];
}

/** Something that has a form rather than words. It becomes a meaning under its name. */
export interface Shape {
  readonly name: string;
  /** Words and characters; one of the words and one of the characters is there wherever the form is. */
  readonly hints: string;
  readonly pattern: RegExp;
  readonly finds: readonly string[];
  readonly passes: readonly string[];
}

export type SignKind =
  /** Drop what you were told. */
  | 'override'
  /** Say what you were told. */
  | 'prompt-leak'
  /** Keep it from the user. */
  | 'conceal'
  /** Act without asking the user. */
  | 'unasked'
  /** Text that poses as another speaker: the system, the user, the developer. */
  | 'role'
  /** Marked so that a model takes it for more than a description. */
  | 'tag'
  /** The model is told what it has to do. */
  | 'address'
  /** Private data. */
  | 'secret'
  /** Get it. */
  | 'fetch'
  /** Take it somewhere, in an argument or out of the house. */
  | 'carry'
  /** Data that passes through is also sent to a third party. */
  | 'away'
  /** What other tools do, or who is asked first, is to change. */
  | 'steer'
  /** Others are no good. */
  | 'rival'
  /** Harmless at first; active later, when the tool is no longer reviewed. */
  | 'dormant'
  /** Or else. */
  | 'coerce'
  /** It says so itself. */
  | 'harm';

/** Kinds that only add to others. */
export const SIDE_KINDS: ReadonlySet<SignKind> = new Set(['address', 'coerce', 'tag', 'unasked']);
