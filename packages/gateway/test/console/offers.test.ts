// What the console shows of a server besides its tools.

import { Scope } from '@plugboard/base';
import { everything, scriptedServer, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerOffers } from '../../src/console-api.ts';
import { send } from '../attacks/raw-http.ts';
import { bearer, openConsole } from './console-of.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

describe('what a server offers besides tools', () => {
  verifies('CON-UI');

  it('is listed with resources, templates and prompts', async () => {
    const { at, secret } = await openConsole(scope, { host: { servers: { demo: everything() } } });
    const { status, text } = await send(`${at}/api/servers/demo/offers`, {
      method: 'GET',
      headers: bearer(secret),
    });
    expect(status).toBe(200);
    const offers = JSON.parse(text) as ServerOffers;
    expect(offers.resources.map(({ uri }) => uri)).toContain(
      'demo://resource/static/document/features.md',
    );
    expect(offers.templates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'demo://resource/dynamic/text/{resourceId}',
    );
    expect(offers.prompts.find(({ name }) => name === 'args-prompt')?.arguments).toMatchObject([
      { name: 'city', isRequired: true },
      { name: 'state', isRequired: false },
    ]);
  });

  it('is refused for a server that does not exist or cannot be used', async () => {
    const off = { ...scriptedServer(), disabled: true };
    const { at, secret } = await openConsole(scope, { host: { servers: { off } } });
    const ask = (name: string): Promise<{ readonly status: number | undefined }> =>
      send(`${at}/api/servers/${name}/offers`, { method: 'GET', headers: bearer(secret) });
    expect((await ask('none')).status).toBe(404);
    expect((await ask('off')).status).toBe(409);
  });
});
