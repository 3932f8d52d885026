// The program of a broker. The first host that needs the server starts it, and sends the terms over stdin. It answers
// with one line: an empty object, or why the server did not start.

import { messageOf, systemClock } from '@plugboard/base';
import { type DetachedRun, ProcessLedger, runDetached } from '../../platform/index.ts';
import { Broker } from './broker.ts';
import type { BrokerTerms } from './terms.ts';

async function run(instructions: string, stop: AbortSignal): Promise<DetachedRun> {
  const terms = JSON.parse(instructions) as BrokerTerms;
  const ledger = new ProcessLedger({ directory: terms.ledger });
  const broker = new Broker(terms, { clock: systemClock, ledger });
  stop.addEventListener('abort', () => void broker.end(), { once: true });
  try {
    const started = await broker.start();
    return { answer: JSON.stringify(started.ok ? {} : started.error), ended: broker.ended };
  } catch (thrown) {
    const failure = { kind: 'unexpected', message: messageOf(thrown) };
    return { answer: JSON.stringify(failure), ended: broker.end() };
  }
}

void runDetached(run);
