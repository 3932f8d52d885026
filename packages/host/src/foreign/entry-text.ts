// What becomes of the text of another host's file when one server in it changes.

export interface EntryEdit {
  /** To the map of servers. */
  readonly way: readonly string[];
  readonly name: string;
  /** Left out: the server is taken out. */
  readonly value: unknown;
  /** Whether the map goes with its last server. */
  readonly emptyMap?: 'remove';
}

export interface EntryText {
  readonly text: string;
  /** The entry that stood there. */
  readonly before: unknown;
  /** Whether there was no map of servers. */
  readonly madeMap?: true;
}
