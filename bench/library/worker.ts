// A process with one caller, so that code compiled for one client does not affect another. Runs a block of calls on
// request of its parent, and reports the time.

import { answerParent } from '../measure/answer-parent.ts';
import type { Caller, Route } from './caller.ts';

export type CallerName = 'plugboard' | 'sdk' | 'ai-sdk' | 'bare';

export interface Block {
  readonly calls: number;
  readonly inFlight: number;
}

const [name, route] = process.argv.slice(2) as [CallerName, Route];
const caller = await open(name, route);
answerParent(run, () => caller.close());

async function open(wanted: CallerName, to: Route): Promise<Caller> {
  switch (wanted) {
    case 'plugboard':
      return (await import('./plugboard-caller.ts')).plugboardCaller(to);
    case 'sdk':
      return (await import('./sdk-caller.ts')).sdkCaller(to);
    case 'ai-sdk':
      return (await import('./ai-sdk-caller.ts')).aiSdkCaller(to);
    case 'bare':
      return (await import('./bare-caller.ts')).bareCaller(to);
    default:
      return wanted satisfies never;
  }
}

/** Milliseconds that the block took. */
async function run({ calls, inFlight }: Block): Promise<number> {
  let left = calls;
  const startedAt = performance.now();
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const message = `call ${left}`;
      const heard = await caller.echo(message);
      if (heard !== message) throw new Error(`${name} heard "${heard}" and not "${message}"`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return performance.now() - startedAt;
}
