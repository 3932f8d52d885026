// A term of a question and how much it counts there.

export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}
