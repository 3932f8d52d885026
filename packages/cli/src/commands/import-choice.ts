// Asks the user which servers to import, by number.

import type { PlannedImport } from '@plugboard/host/configuration';
import type { ShownPlan } from '../print/import-plan.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

type ImportOffer = Pick<ShownPlan, 'choices' | 'all'>;

const QUESTION = 'Import which? Numbers, "all", or nothing for none: ';
const MAX_TRIES = 3;

export async function askWhich(
  { input, err }: Pick<Terminal, 'input' | 'err'>,
  offered: ImportOffer,
): Promise<readonly PlannedImport[]> {
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    const answer = await input.ask(QUESTION);
    if (answer === undefined) return [];
    const chosen = readChoice(answer, offered);
    if (chosen !== undefined) return chosen;
    err.write(`Give numbers from 1 to ${offered.choices.length}, such as: 1 3\n`);
  }
  throw new UsageError('no servers were chosen', 'name them: plugboard import --only NAME');
}

/** `undefined` if the answer is invalid. */
function readChoice(
  answer: string,
  { choices, all }: ImportOffer,
): readonly PlannedImport[] | undefined {
  const words = answer
    .trim()
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  if (words.length === 0 || (words.length === 1 && words[0] === 'none')) return [];
  if (words.length === 1 && words[0] === 'all') return all;
  const chosen = words.map((word) =>
    /^\d{1,6}$/.test(word) ? choices[Number(word) - 1] : undefined,
  );
  const servers = chosen.filter((server) => server !== undefined);
  return servers.length === words.length ? [...new Set(servers)] : undefined;
}
