// A client with many scripts must not affect others.

import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGateway, serverOf } from '../cells.ts';
import { modernRequest, type RawAnswer, send } from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

describe('scripts of one token that wait for slow calls', () => {
  verifies('GWY-01');

  it('leave room for the scripts of another token', async () => {
    const { gateway } = await openGateway(
      scope,
      { servers: { one: serverOf('legacy') } },
      { all: { mode: 'code' } },
    );
    await gateway.host.tools();
    const tokens = new Map([
      ['token-of-mallory', 'mallory'],
      ['token-of-bob-kahn', 'bob'],
    ]);
    const { url } = await gateway.listen({ tokens });
    const run = (token: string, code: string): Promise<RawAnswer> => {
      const asked = modernRequest({ params: { name: 'run_code', arguments: { code } } });
      return send(url, {
        ...asked,
        headers: { ...asked.headers, Authorization: `Bearer ${token}` },
      });
    };
    const slow = `await tools.one.sleep({ ms: 600_000 }); return 1`;
    const hog = Array.from({ length: 8 }, () => run('token-of-mallory', slow).catch(() => {}));
    const { text } = await run('token-of-bob-kahn', 'return 6 * 7');
    expect(text).toContain('"42"');
    await gateway.close();
    await Promise.all(hog);
  });
});
