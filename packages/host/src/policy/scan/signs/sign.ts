// One thing to look for in a sentence, and how much it says. Patterns read small letters and are linear:
// whatever repeats is bounded and holds no other repetition without bounds.

export interface Sign {
  readonly kind: SignKind;
  /** See injected-instructions.ts for how much is enough. */
  readonly weight: number;
  readonly pattern: RegExp;
}

/** Signs that have something in common, so that most sentences need not be searched for each of them. */
export interface SignGroup {
  /** Sorts of words: all of one of these sets are there wherever one of the signs is. */
  readonly needs: readonly number[];
  readonly signs: readonly Sign[];
  /** The kind that comes first; without one of it in the sentence, the others are not searched for. */
  readonly after?: SignKind;
}

export type SignKind =
  /** Drop what you were told. */
  | 'override'
  /** Say what you were told. */
  | 'prompt-leak'
  /** Keep it from the user. */
  | 'conceal'
  /** Nobody is to be asked. */
  | 'unasked'
  /** Somebody else speaks: the system, the user, the developer. */
  | 'role'
  /** Marked so that a model takes it for more than a description. */
  | 'tag'
  /** The model is told what it has to do. */
  | 'address'
  /** Something that is nobody's business. */
  | 'secret'
  /** Get it. */
  | 'fetch'
  /** Take it somewhere, in an argument or out of the house. */
  | 'carry'
  /** Whatever passes by goes to somebody else too. */
  | 'away'
  /** All of it. */
  | 'bulk'
  /** What other tools do, or who is asked first, is to change. */
  | 'steer'
  /** Others are no good. */
  | 'rival'
  /** Nothing yet; later, when nobody looks any more. */
  | 'dormant'
  /** Or else. */
  | 'coerce'
  /** It says so itself. */
  | 'harm';

/** One sign for all of the patterns. */
export function sign(kind: SignKind, weight: number, ...patterns: readonly string[]): Sign {
  return { kind, weight, pattern: new RegExp(patterns.join('|')) };
}
