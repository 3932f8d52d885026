// The remote servers, in their own process, so that they do not compete with the host for its thread.

import { startScriptedHttp } from '@plugboard/testkit';
import { answerParent } from '../measure/answer-parent.ts';

export interface ServersWanted {
  readonly working: number;
  /** How long a working server takes for each answer. */
  readonly delayMs: number;
}

export interface ServerUrls {
  readonly working: readonly string[];
  /** By kind of defect. */
  readonly broken: Readonly<Record<string, string>>;
}

answerParent(start, () => process.exit());

async function start({ working, delayMs }: ServersWanted): Promise<ServerUrls> {
  const http = delayMs === 0 ? {} : { http: { delayMs } };
  const started = await Promise.all(
    Array.from({ length: working }, () =>
      startScriptedHttp({ ...http, builtIns: ['echo', 'add'] }),
    ),
  );
  const silent = await startScriptedHttp({ silent: true });
  const html = await startScriptedHttp({ http: { html: true } });
  const refusing = await startScriptedHttp();
  await refusing.close();
  return {
    working: started.map(({ url }) => url),
    broken: { silent: silent.url, html: html.url, refusing: refusing.url },
  };
}
