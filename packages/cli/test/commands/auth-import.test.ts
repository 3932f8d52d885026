import { GRANT_TYPES, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Run, type Sandbox } from '../sandbox.ts';
import { place, type Place, signIn, steady } from '../signing-in.ts';

function importing(
  box: Sandbox,
  tokens: unknown,
  args: readonly string[] = ['docs'],
): Promise<Run> {
  const stdin = typeof tokens === 'string' ? tokens : JSON.stringify(tokens);
  return box.run(['auth', 'import', ...args], { stdin });
}

/** Tokens that were obtained on another machine. */
async function tokensFromElsewhere({ issuer, server }: Place): Promise<Record<string, unknown>> {
  await using elsewhere = await place();
  await elsewhere.box.servers({ docs: { type: 'http', url: server.url } });
  await signIn({ issuer, box: elsewhere.box });
  const access = issuer.accessTokens.at(-1);
  return {
    access_token: access?.value,
    token_type: 'Bearer',
    expires_in: 25 * 3600,
    refresh_token: issuer.refreshTokens.at(-1)?.value,
    scope: 'read offline_access',
    client_id: access?.grant.clientId,
  };
}

const callIn = ({ box }: Place) => box.run(['call', 'docs', 'echo', 'message=hello']);

describe.concurrent('plugboard auth import', () => {
  verifies('AUT-12');

  it('imports the answer of a token endpoint, discovers the issuer, and renews the token', async ({
    expect,
  }) => {
    await using here = await place();
    const tokens = await tokensFromElsewhere(here);
    const run = await importing(here.box, tokens);
    expect({ ...run, stderr: steady(run.stderr, here) }).toEqual({
      code: 0,
      stdout: '',
      stderr: `Imported a token for "docs", account "default".
  issuer    (issuer)
  resource  (server)
  client    ${String(tokens['client_id'])}
  It ends in 1 day, and is renewed by itself.
`,
    });
    expect(await callIn(here)).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
    here.issuer.revokeAccessTokens();
    expect(await callIn(here)).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
    expect(here.issuer.count({ endpoint: 'token', grantType: GRANT_TYPES.refreshToken })).toBe(1);
  });

  it('imports a file without a prompt when nothing is missing, and prints a document', async ({
    expect,
  }) => {
    await using here = await place();
    const { refresh_token: _, expires_in: __, ...tokens } = await tokensFromElsewhere(here);
    const before = here.issuer.requests.length;
    const whole = {
      ...tokens,
      issuer: here.issuer.issuer,
      resource: here.server.url,
      expires_at: '2999-01-01T00:00:00Z',
    };
    await here.box.write('tokens.json', JSON.stringify(whole));
    const args = ['auth', 'import', 'docs', '--file', 'tokens.json', '--account', 'ci', '--json'];
    // A separate process, since the path is relative to its folder.
    expect(documentOf(await here.box.runProcess(args))).toEqual({
      kind: 'imported',
      name: 'docs',
      account: 'ci',
      issuer: here.issuer.issuer,
      resource: here.server.url,
      client: tokens['client_id'],
      scopes: ['read', 'offline_access'],
      expiresAt: '2999-01-01T00:00:00.000Z',
      isRenewable: false,
    });
    expect(here.issuer.requests.length).toBe(before);
  });

  const GOOD = {
    access_token: 'a-token',
    issuer: 'https://i.example',
    resource: 'https://r.example',
  };

  it.for([
    ['no JSON', 'a-token', 'not-tokens'],
    ['a list', [GOOD], 'not-tokens'],
    ['no token', { ...GOOD, access_token: undefined }, 'bad-field'],
    ['a token with a line break', { ...GOOD, access_token: 'a-token\nb: c' }, 'bad-field'],
    ['a token that is too long', { ...GOOD, access_token: 'a-token'.repeat(9999) }, 'bad-field'],
    ['an issuer that is no address', { ...GOOD, issuer: 'a-token' }, 'bad-field'],
    ['two times', { ...GOOD, expires_in: 1, expires_at: 4e9 }, 'bad-field'],
    ['no time', { ...GOOD, expires_in: 'soon' }, 'bad-field'],
    ['an old token', { ...GOOD, expires_at: 1 }, 'expired'],
    ['a bound token', { ...GOOD, token_type: 'DPoP' }, 'bound-token'],
    ['a refresh token without a client', { ...GOOD, refresh_token: 'a-token-2' }, 'client-needed'],
  ] as const)('refuses %s, without repeating it', async ([, tokens, kind], { expect }) => {
    await using here = await place();
    const run = await importing(here.box, tokens, ['docs', '--json']);
    expect([run.code, documentOf(run)]).toEqual([1, { error: expect.objectContaining({ kind }) }]);
    expect(run.stdout).not.toContain('a-token');
    expect((await here.box.run(['auth', 'status'])).stdout).toContain('not-signed-in');
  });

  it('refuses tokens of another issuer or client', async ({ expect }) => {
    await using here = await place({ entry: { oauth: { clientId: 'ours' } } });
    const of = async (more: object) => {
      const run = await importing(here.box, { access_token: 'a-token', ...more }, [
        'docs',
        '--json',
      ]);
      return [run.code, (documentOf(run) as { error: { kind: string } }).error.kind];
    };
    expect([
      await of({ issuer: 'https://elsewhere.example' }),
      await of({ client_id: 'theirs' }),
      await of({ client_secret: 'sesame' }),
    ]).toEqual([
      [4, 'other-issuer'],
      [1, 'other-client'],
      [1, 'other-client'],
    ]);
  });

  it('accepts no token on the command line, and does not repeat it', async ({ expect }) => {
    await using here = await place();
    for (const args of [['a-token'], ['--token=a-token'], ['--access-token', 'a-token']]) {
      const run = await importing(here.box, {}, ['docs', ...args]);
      expect(run).toEqual({
        code: 1,
        stdout: '',
        stderr: `error: tokens are not taken from the command line, where other programs and the history of your shell can see them
  fix: clear them from there, and pipe them: plugboard auth import NAME < FILE
`,
      });
    }
  });

  it('refuses a server that gets its tokens itself', async ({ expect }) => {
    const oauth = { clientId: 'me', clientSecret: '${secret:S}', grant: 'client_credentials' };
    await using here = await place({ entry: { oauth } });
    await here.box.run(['secret', 'set', 'S'], { stdin: 'sesame' });
    const run = await importing(here.box, { access_token: 'a-token' }, ['docs', '--json']);
    expect([run.code, documentOf(run)]).toEqual([
      1,
      { error: expect.objectContaining({ kind: 'machine' }) },
    ]);
  });
});
