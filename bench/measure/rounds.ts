// Measures several contenders side by side: in every round each has one turn, in random order, so
// that neither drift of the machine nor a fixed neighbour favours any of them.

export interface Contender {
  readonly name: string;
  /** One turn; answers how long it took, in whatever unit the benchmark uses. */
  readonly turn: () => number | Promise<number>;
}

/** The samples of each contender, in the order of the rounds. */
export type Samples = ReadonlyMap<string, readonly number[]>;

export async function runRounds(
  contenders: readonly Contender[],
  rounds: number,
): Promise<Samples> {
  const samples = new Map(contenders.map(({ name }): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, turn } of shuffled(contenders)) {
      samples.get(name)!.push(await turn());
    }
  }
  return samples;
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
