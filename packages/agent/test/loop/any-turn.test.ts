// Laws of turns, for any output of the model and any time of cancellation.

import { systemClock } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../src/conversation/index.ts';
import { Conversation } from '../../src/loop/index.ts';
import { memoryToolbox, untilAborted } from '../memory-toolbox.ts';
import { call, scriptedModel, type Step, user } from '../scripted-model.ts';
import { problemsOf } from '../valid-conversation.ts';

const made = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    tool: fc.constantFrom('read', 'write', 'fails', 'throws', 'slow', 'unknown'),
  })
  .map(({ id, tool }) => call(id, tool, { id }));

const said = fc.string({ maxLength: 5 }).map((text) => ({ kind: 'text', text }) as const);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.oneof(said, made), { maxLength: 5 }).map(saysAll) },
  fc.constantFrom<Step>(
    { kind: 'throws', message: 'bug' },
    { kind: 'fails', failure: { kind: 'overloaded', message: 'busy' }, after: 'so' },
    { kind: 'fails', failure: { kind: 'context-overflow', message: 'long' } },
    { kind: 'hangs', after: 'and', onHang: () => {} },
  ),
);

function saysAll(
  parts: readonly (ReturnType<typeof call> | { kind: 'text'; text: string })[],
): Step {
  return { kind: 'says', parts, reason: 'calls' };
}

it('any turn ends once, leaves nothing running, and leaves a valid conversation', async () => {
  verifies('AGT-03');
  const law = fc.asyncProperty(
    fc.array(step, { maxLength: 6 }),
    fc.integer({ min: 0, max: 40 }),
    fc.constantFrom('cancels', 'leaves'),
    async (steps, at, how) => {
      const toolbox = memoryToolbox({
        read: { isReadOnly: true, run: () => 'read' },
        write: { run: () => Promise.resolve('written') },
        fails: { run: () => 'error: no' },
        throws: {
          run: () => {
            throw new Error('bug');
          },
        },
        slow: { isReadOnly: true, run: (_, settings) => untilAborted(settings) },
      });
      const model = scriptedModel(steps);
      const conversation = new Conversation({
        ...{ toolbox, model, clock: systemClock, system: () => '' },
        limits: { steps: 5 },
      });
      const giveUp = new AbortController();
      const events: AgentEvent[] = [];
      for await (const event of conversation.send(user('go'), giveUp.signal)) {
        events.push(event);
        // A call that hangs or is slow ends only when the caller cancels it.
        const isStuck = event.kind === 'call-started' || event.kind === 'text';
        if (events.length < at && !isStuck) continue;
        if (how === 'leaves' && events.length >= at) break;
        giveUp.abort();
      }
      expect(toolbox.running).toBe(0);
      expect(problemsOf(conversation.messages)).toEqual([]);
      const ends = events.filter(({ kind }) => kind === 'turn-ended');
      if (how === 'cancels') expect(ends).toEqual(events.slice(-1));
    },
  );
  await fc.assert(law, { numRuns: 300 });
});
