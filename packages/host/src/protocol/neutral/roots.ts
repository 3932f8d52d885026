// The folders that a server is told to work in. The port gives those of now and says when they are
// others; what a server does with them is its own business.

export interface Root {
  /** A `file:` address. */
  readonly uri: string;
  readonly name: string;
}

export interface RootsPort {
  list(): readonly Root[];
  /** Hears that they are others, until disposed. */
  watch(onChange: () => void): Disposable;
}
