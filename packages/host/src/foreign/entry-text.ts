// A change of one server in the text of another host's file, and its result.

export interface EntryEdit {
  /** The path to the map of servers. */
  readonly path: readonly string[];
  readonly name: string;
  /** `undefined` removes the server. */
  readonly value: unknown;
  /** Whether to remove the map with its last server. */
  readonly emptyMap?: 'remove';
}

export interface EntryText {
  readonly text: string;
  /** The previous entry. */
  readonly before: unknown;
  /** Set if there was no map of servers. */
  readonly madeMap?: true;
}
