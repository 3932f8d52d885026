// The roots: the folders in which a server is asked to work. The port returns the current ones and reports changes.

export interface Root {
  /** A `file:` address. */
  readonly uri: string;
  readonly name: string;
}

export interface RootsPort {
  list(): readonly Root[];
  /** Reports changes until it is disposed of. */
  watch(onChange: () => void): Disposable;
  /** Records whether the server requests the roots as soon as it is connected. */
  readonly early?: EarlyRoots;
}

export interface EarlyRoots {
  /** The server did so in an earlier session, so the first calls wait for it. */
  readonly isExpected: boolean;
  /** Records that it requested the roots early, or did not although it was expected to. */
  note(what: 'asked' | 'not-asked'): void;
}
