import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { hostileScene } from './scene.ts';

describe('a call for an account without a token', () => {
  verifies('AUT-09');

  it('does not use the token of another account', async () => {
    await using scope = new Scope();
    const { server, issuer, browser, anotherHost } = await hostileScene(scope, {
      issuer: { account: 'bob' },
    });
    const entryOf = (account: string) => ({ type: 'http', url: server.url, oauth: { account } });
    const host = await anotherHost({ servers: { alice: entryOf('alice'), bob: entryOf('bob') } });
    const look = (name: string) => host.call({ server: name, tool: 'look' }, {});
    expect((await host.login('bob', { way: { kind: 'browser', browser } })).kind).toBe('signed-in');
    expect((await look('bob')).kind).toBe('result');
    const admitted = server.admitted.length;

    expect(await look('alice')).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'sign-in-needed', issuer: issuer.issuer },
    });
    expect(server.admitted.length).toBe(admitted);

    issuer.signIn('alice');
    expect((await host.login('alice', { way: { kind: 'browser', browser } })).kind).toBe(
      'signed-in',
    );
    expect((await look('alice')).kind).toBe('result');
    expect(server.admitted.at(-1)?.grant.subject).toBe('alice');
    expect((await look('bob')).kind).toBe('result');
    expect(server.admitted.at(-1)?.grant.subject).toBe('bob');
  });

  it('does not use a token stored by an earlier host, and a sign-out affects no other account', async () => {
    await using scope = new Scope();
    const { server, issuer, browser, anotherHost } = await hostileScene(scope, {
      issuer: { account: 'bob' },
    });
    const as = (account: string) => ({
      servers: { mine: { type: 'http', url: server.url, oauth: { account } } },
    });
    const bob = await anotherHost(as('bob'));
    const alice = await anotherHost(as('alice'));
    expect((await bob.login('mine', { way: { kind: 'browser', browser } })).kind).toBe('signed-in');
    const look = (host: typeof bob) => host.call({ server: 'mine', tool: 'look' }, {});
    expect((await look(alice)).kind).toBe('needs-auth');
    expect(await alice.logout('mine')).toMatchObject({ kind: 'signed-out', wasSignedIn: false });
    expect((await look(bob)).kind).toBe('result');
    expect(issuer.count({ endpoint: 'authorization' })).toBe(1);
  });
});
