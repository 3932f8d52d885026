// A scripted HTTP server in its own process, so that its memory does not count for the host.

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
