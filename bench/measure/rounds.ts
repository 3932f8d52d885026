// Measures several contenders in rounds: each has one turn per round, in random order, so that neither drift of the
// machine nor a fixed order favours any of them.

export interface Contender {
  readonly name: string;
  /** Takes one turn; returns its duration in the unit of the benchmark. */
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
