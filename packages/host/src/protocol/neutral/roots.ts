// The folders that a server is told to work in. The port gives those of now and says when they are
// others; what a server does with them is its own business.

export interface Root {
  /** A `file:` address. */
  readonly uri: string;
  readonly name: string;
}

export interface RootsPort {
  list(): readonly Root[];
  /** Reports changes until it is disposed of. */
  watch(onChange: () => void): Disposable;
  /** What is known of servers that ask as soon as they are connected to. */
  readonly early?: EarlyRoots;
}

export interface EarlyRoots {
  /** Whether this server did so before: calls wait until it was told. */
  readonly isExpected: boolean;
  /** It asked, or it was expected to and did not. */
  note(what: 'asked' | 'not-asked'): void;
}
