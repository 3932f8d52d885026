import { verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf } from '../sandbox.ts';
import { place, signIn, steady } from '../signing-in.ts';

describe.concurrent('plugboard logout', () => {
  verifies('AUT-12');

  it('revokes the tokens, and the server demands a sign-in again', async ({ expect }) => {
    await using here = await place();
    await signIn(here);
    expect(await here.box.run(['logout', 'docs'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Signed out of "docs". The tokens are no longer valid.\n',
    });
    expect(here.issuer.count({ endpoint: 'revocation' })).toBe(2);
    const [token] = here.issuer.accessTokens;
    expect(here.issuer.findAccessToken(token?.value ?? '')).toBeUndefined();
    const { code, stderr } = await here.box.run(['call', 'docs', 'echo', 'message=hello']);
    expect([code, steady(stderr, here)]).toEqual([
      4,
      `error: server "docs" requires a sign-in at (issuer)
  at:  .mcp.json:3:5
  fix: sign in: plugboard login docs
`,
    ]);
  });

  it('reports that the server cannot revoke tokens, and deletes them', async ({ expect }) => {
    await using here = await place({
      issuer: { misbehaviour: { metadata: { revocation_endpoint: null } } },
    });
    await signIn(here);
    expect(await here.box.run(['logout', 'docs'])).toMatchObject({
      code: 0,
      stderr:
        'Signed out of "docs". The tokens are deleted; the authorization server cannot revoke them, so they stay valid until they expire.\n',
    });
    expect((await here.box.run(['auth', 'status'])).stdout).toContain('not-signed-in');
  });

  it('reports a failed revocation, and still deletes the tokens', async ({ expect }) => {
    await using here = await place();
    await signIn(here);
    const evil = '\u001B[2Jevil';
    here.issuer.misbehave({
      faults: [{ at: 'revocation', kind: 'error', error: 'server_error', description: evil }],
    });
    const { code, stderr } = await here.box.run(['logout', 'docs']);
    expect([code, steady(stderr, here)]).toEqual([
      0,
      'Signed out of "docs". The tokens are deleted, but not revoked: (issuer) refused (server_error).\n',
    ]);
    expect((await here.box.run(['auth', 'status'])).stdout).toContain('not-signed-in');
  });

  it('sends the tokens to no other server after the address changed', async ({ expect }) => {
    await using here = await place();
    await using other = await place();
    await signIn(here);
    here.server.moveTo(other.issuer);
    const run = await here.box.run(['logout', 'docs', '--json']);
    expect(documentOf(run)).toEqual({
      kind: 'signed-out',
      name: 'docs',
      accounts: [{ account: 'default', wasSignedIn: true, revocation: 'failed' }],
    });
    expect(other.issuer.count({ endpoint: 'revocation' })).toBe(0);
  });

  const left = (account: string) => ({ account, wasSignedIn: true, revocation: 'revoked' });

  it('signs one account out', async ({ expect }) => {
    verifies('AUT-09');
    await using here = await place();
    await signIn(here);
    await signIn(here, ['docs', '--account', 'work']);
    const run = await here.box.run(['logout', 'docs', '--account', 'work', '--json']);
    expect(documentOf(run)).toEqual({
      kind: 'signed-out',
      name: 'docs',
      accounts: [left('work')],
    });
    const { stdout } = await here.box.run(['auth', 'status']);
    expect(stdout).toMatch(/^docs {2}signed-in {2}default/m);
    expect(stdout).not.toContain('work');
  });

  it('signs all accounts out, and only those that are signed in', async ({ expect }) => {
    await using here = await place();
    await signIn(here);
    await signIn(here, ['docs', '--account', 'work']);
    expect(documentOf(await here.box.run(['logout', 'docs', '--all', '--json']))).toEqual({
      kind: 'signed-out',
      name: 'docs',
      accounts: [left('default'), left('work')],
    });
    expect(await here.box.run(['logout', 'docs'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'You were not signed in to "docs", so there is nothing to forget.\n',
    });
  });

  it('accepts one choice only', async ({ expect }) => {
    await using here = await place();
    expect(await here.box.run(['logout', 'docs', '--all', '--account', 'x'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: --all and --account were both given\n  fix: give one of them\n',
    });
  });
});
