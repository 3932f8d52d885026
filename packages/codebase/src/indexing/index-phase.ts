// The phases of an index, and what each means for those who wait for it or report it. Their order counts: the first
// phase that any of several roots is in is that of all, and so is its kind.

export type IndexKind = 'indexing' | 'ready' | 'gone' | 'off';

interface PhaseFacts {
  /** Only an index that is `indexing` is worth waiting for. */
  readonly kind: IndexKind;
  /** No file is left to read, so questions by words need not wait. */
  readonly isRead: boolean;
  readonly countsSteps: boolean;
}

export const INDEX_PHASES = {
  'not-begun': { kind: 'indexing', isRead: false, countsSteps: false },
  listing: { kind: 'indexing', isRead: false, countsSteps: false },
  reading: { kind: 'indexing', isRead: false, countsSteps: true },
  embedding: { kind: 'indexing', isRead: true, countsSteps: true },
  ready: { kind: 'ready', isRead: true, countsSteps: false },
  /** Another process keeps the index up to date. */
  following: { kind: 'ready', isRead: true, countsSteps: false },
  /** The root is gone, and the index stays as it was. */
  'root-gone': { kind: 'gone', isRead: true, countsSteps: false },
  /** The index cannot be opened. */
  off: { kind: 'off', isRead: true, countsSteps: false },
  closed: { kind: 'off', isRead: true, countsSteps: false },
} as const satisfies Readonly<Record<string, PhaseFacts>>;

export type IndexPhase = keyof typeof INDEX_PHASES;

export interface IndexProgress {
  readonly phase: IndexPhase;
  /** Counts files while reading, chunks while embedding. */
  readonly done: number;
  readonly total: number;
}

/** The earliest of the phases of several roots; `off` if there are none. */
export function earliestPhase(phases: readonly IndexPhase[]): IndexPhase {
  const inOrder = Object.keys(INDEX_PHASES) as readonly IndexPhase[];
  return inOrder.find((phase) => phases.includes(phase)) ?? 'off';
}
