// The errors for paths without an endpoint.

import { type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Scope } from '@plugboard/base';
import { scriptedServer } from '@plugboard/testkit';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGateway } from '../../src/index.ts';
import { type RawAnswer, send } from '../attacks/raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const ADA = { Authorization: 'Bearer token-of-ada-lovelace' };

async function gatewayOrigin(): Promise<string> {
  const servers = {
    github: scriptedServer(),
    hidden: { command: 'none', disabled: true },
  };
  const gateway = scope.use(
    await createGateway({
      host: { files: 'none', servers },
      profiles: { work: { servers: ['github'] } },
    }),
  );
  const { url } = await gateway.listen({ tokens: new Map([['token-of-ada-lovelace', 'ada']]) });
  return new URL(url).origin;
}

async function reasonAt(url: string, method = 'POST'): Promise<string> {
  const answer = await send(url, { method, headers: ADA });
  expect(answer.status).toBe(404);
  return reasonIn(answer);
}

function reasonIn({ text: body }: Pick<RawAnswer, 'text'>): string {
  return (JSON.parse(body) as { error: { message: string } }).error.message;
}

/** The body of the response that refuses a WebSocket. */
function refusedSocket(url: string): Promise<string> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), 'mcp', { headers: ADA });
  return new Promise((resolve, reject) => {
    socket.once('unexpected-response', (_request: ClientRequest, response: IncomingMessage) =>
      resolve(text(response).then((body) => reasonIn({ text: body }))),
    );
    socket.once('error', reject);
  });
}

const NO_SERVER =
  'This gateway has no server "gihtub". Did you mean "github"? See which it has: plugboard status';

describe('a path without an endpoint', () => {
  it('gets an error with the missing server and the nearest one, over every transport', async () => {
    const origin = await gatewayOrigin();
    expect({
      http: await reasonAt(`${origin}/mcp/gihtub`),
      sse: await reasonAt(`${origin}/sse/gihtub`, 'GET'),
      websocket: await refusedSocket(`${origin}/mcp/gihtub`),
    }).toEqual({ http: NO_SERVER, sse: NO_SERVER, websocket: NO_SERVER });
  });

  it('gets an error with the missing profile, the nearest one, and the place of profiles', async () => {
    const origin = await gatewayOrigin();
    expect(await reasonAt(`${origin}/mcp/profile/wrok`)).toBe(
      'This gateway has no profile "wrok". Did you mean "work"? Profiles are in the file that this command names, under "gateway": plugboard config path --scope user',
    );
    expect(await reasonAt(`${origin}/mcp/work`)).toBe(
      'This gateway has no server "work", but a profile of that name, at /mcp/profile/work',
    );
  });

  it('gets an error without servers that clients cannot list', async () => {
    const origin = await gatewayOrigin();
    expect(await reasonAt(`${origin}/mcp/hiden`)).toBe(
      'This gateway has no server "hiden". See which it has: plugboard status',
    );
  });

  it('gets an error without names for a client without a token', async () => {
    const origin = await gatewayOrigin();
    const answer = await send(`${origin}/mcp/gihtub`, {});
    expect({ status: answer.status, reason: reasonIn(answer) }).toEqual({
      status: 401,
      reason: 'A token is needed',
    });
  });

  it('repeats only the beginning of a long name', async () => {
    const origin = await gatewayOrigin();
    const reason = await reasonAt(`${origin}/mcp/${'%1B'.repeat(1000)}`);
    expect(reason).toContain(`no server "${'\\u001b'.repeat(100)}"`);
    expect(reason.length).toBeLessThan(1000);
  });

  it('gets a list of the valid forms if it has another form', async () => {
    const origin = await gatewayOrigin();
    expect(await reasonAt(`${origin}/elsewhere`)).toBe(
      'There is nothing at this address. All servers are at /mcp, one alone at /mcp/SERVER, a profile at /mcp/profile/NAME',
    );
  });
});
