// One scripted server on HTTP in a process of its own, so that its memory is not the host's.

import { type Era, startScriptedHttp } from '@plugboard/testkit';
import { answerParent } from '../measure/answer-parent.ts';

export interface CycleServer {
  readonly eras: readonly Era[];
}

export interface CycleUrl {
  readonly url: string;
}

answerParent(start, () => process.exit());

async function start({ eras }: CycleServer): Promise<CycleUrl> {
  const { url } = await startScriptedHttp({ eras, builtIns: ['echo'] });
  return { url };
}
