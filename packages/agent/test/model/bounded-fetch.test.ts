// Hostile networks: redirects, and answers without end.

import { startScriptedModel } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { AnswerTooLong, boundedFetch } from '../../src/model/bounded-fetch.ts';
import { allOf, asking, CELLS, lastOf, modelAt } from './cells.ts';
import { serving } from './serving.ts';

describe.each(CELLS)('a model of $name', (cell) => {
  it('does not send its key along when an answer redirects', async () => {
    await using elsewhere = await startScriptedModel({ otherwise: 'hello' });
    await using server = await serving((request, response) => {
      request.resume();
      response.writeHead(307, { location: `${elsewhere.url}${request.url ?? ''}` }).end();
    });
    const once = { backoff: { firstMs: 1, maxMs: 1, maxAttempts: 1 } };
    const events = await allOf(modelAt(cell, server, { patience: once }), asking('go'));
    expect(lastOf(events, 'failed').failure.kind).toBe('unreachable');
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('the body of an answer', () => {
  it('is read up to its limit and not beyond', async () => {
    await using server = await serving((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const answer = await boundedFetch(globalThis.fetch, 50_000)(server.url);
    await expect(answer.text()).rejects.toBeInstanceOf(AnswerTooLong);
  });
});
