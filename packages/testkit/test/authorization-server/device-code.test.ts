import { describe, expect, it } from 'vitest';
import { GRANT_TYPES } from '../../src/authorization-server/metadata.ts';
import { startAuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import type { AuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import { ManualClock } from '../../src/manual-clock.ts';
import { app, endpoint, postForm, request, token } from './raw-oauth.ts';

const clients = [app];
const resource = 'https://mcp.example/mcp';

async function ask(issuer: AuthorizationServer) {
  const fields = { client_id: 'app', scope: 'read', resource };
  const { body } = await postForm(endpoint(issuer, 'device_authorization_endpoint'), fields);
  return { body, deviceCode: String(body['device_code']), userCode: String(body['user_code']) };
}

async function poll(issuer: AuthorizationServer, deviceCode: string): Promise<unknown> {
  const fields = { grant_type: GRANT_TYPES.deviceCode, client_id: 'app', device_code: deviceCode };
  const { status, body } = await token(issuer, fields);
  return status === 200 ? 'tokens' : body['error'];
}

describe('a device code of the test server', () => {
  it('waits for approval, and yields tokens once', async () => {
    const clock = new ManualClock();
    await using issuer = await startAuthorizationServer({ clients, clock });
    const { body, deviceCode, userCode } = await ask(issuer);
    expect(body).toEqual({
      device_code: deviceCode,
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as string,
      verification_uri: `${issuer.issuer}/device`,
      verification_uri_complete: `${issuer.issuer}/device?user_code=${userCode}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await poll(issuer, deviceCode)).toBe('authorization_pending');
    issuer.approveDevice(userCode);
    await clock.advance(5_000);
    expect(await poll(issuer, deviceCode)).toBe('tokens');
    const grant = { clientId: 'app', subject: 'alice', scopes: ['read'], resource };
    expect(issuer.accessTokens.map((one) => one.grant)).toEqual([grant]);
    expect(issuer.refreshTokens).toHaveLength(1);
    await clock.advance(5_000);
    expect(await poll(issuer, deviceCode)).toBe('invalid_grant');
  });

  it('slows down a device that polls too often', async () => {
    const clock = new ManualClock();
    await using issuer = await startAuthorizationServer({ clients, clock });
    const { deviceCode } = await ask(issuer);
    await poll(issuer, deviceCode);
    await clock.advance(4_999);
    expect(await poll(issuer, deviceCode)).toBe('slow_down');
    await clock.advance(9_999);
    expect(await poll(issuer, deviceCode)).toBe('slow_down');
    await clock.advance(15_000);
    expect(await poll(issuer, deviceCode)).toBe('authorization_pending');
  });

  it('can be denied, and expires', async () => {
    const clock = new ManualClock();
    await using issuer = await startAuthorizationServer({ clients, clock });
    const [denied, late] = [await ask(issuer), await ask(issuer)];
    issuer.denyDevice(denied.userCode);
    expect(await poll(issuer, denied.deviceCode)).toBe('access_denied');
    await clock.advance(600_000);
    expect(await poll(issuer, late.deviceCode)).toBe('expired_token');
    expect(() => issuer.approveDevice(late.userCode)).toThrow(`no device waits with`);
  });

  it('is approved on a page', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const { body, deviceCode, userCode } = await ask(issuer);
    const page = await (await request(String(body['verification_uri_complete']))).text();
    expect(page).toContain(`name="user_code" value="${userCode}"`);
    const typed = userCode.toLowerCase().replace('-', ' ');
    const press = (code: string) =>
      postForm(String(body['verification_uri']), { user_code: code, decision: 'allow' });
    expect((await press('WRON-GONE')).status).toBe(400);
    expect((await press(typed)).status).toBe(200);
    expect(await poll(issuer, deviceCode)).toBe('tokens');
  });
});
