// What was typed, oldest first.

export interface History {
  readonly lines: readonly string[];
  /** Also on disk, where that is possible. */
  add(line: string): Promise<void>;
}
