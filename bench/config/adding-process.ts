// Adds servers to a file, one edit after another, and reports which edits were refused and why.

import { addServer } from '@plugboard/host/configuration';
import { answerParent } from '../measure/answer-parent.ts';

export interface AddPlan {
  readonly file: string;
  readonly prefix: string;
  readonly count: number;
}

answerParent(addAll, () => process.exit());

async function addAll({ file, prefix, count }: AddPlan): Promise<readonly string[]> {
  const refusals: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `${prefix}-${index}`;
    const added = await addServer({ file, name, entry: { command: 'x' }, replace: 'refuse' });
    if (!added.ok) refusals.push(`${name}: ${JSON.stringify(added.error)}`);
  }
  return refusals;
}
