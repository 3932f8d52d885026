import { createHash, createPublicKey, verify } from 'node:crypto';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { dpopKey } from '../../src/protocol/index.ts';

const REQUEST = { method: 'POST', url: new URL('https://mcp.example/mcp?query=1') };

function taken(proof: string) {
  const [header = '', payload = '', signature = ''] = proof.split('.');
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  const jwk = read(header)['jwk'] as Record<string, string>;
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return { header: read(header), claims: read(payload), jwk, isSigned };
}

describe('a DPoP key', () => {
  it('makes a new proof for each request, and is the same after it was stored', async () => {
    verifies('AUT-07');
    const key = await dpopKey();
    const again = await dpopKey(JSON.parse(JSON.stringify(key.jwk)) as typeof key.jwk);
    const first = taken(await key.proofFor(REQUEST, 'token'));
    const second = taken(await again.proofFor(REQUEST, 'token'));
    expect([first.isSigned, second.isSigned]).toEqual([true, true]);
    expect(second.jwk).toEqual(first.jwk);
    expect(first.jwk).not.toHaveProperty('d');
    expect(first.header).toMatchObject({ typ: 'dpop+jwt', alg: 'ES256' });
    expect(first.claims).toMatchObject({
      htm: 'POST',
      htu: 'https://mcp.example/mcp',
      ath: createHash('sha256').update('token').digest('base64url'),
    });
    expect(first.claims['jti']).not.toBe(second.claims['jti']);
  });

  it('puts the nonce of a server into its proofs, and only of that server', async () => {
    verifies('AUT-07');
    const key = await dpopKey();
    key.remember(REQUEST.url, 'nonce-1');
    expect(taken(await key.proofFor(REQUEST, 'token')).claims['nonce']).toBe('nonce-1');
    const elsewhere = { method: 'GET', url: new URL('https://elsewhere.example/') };
    expect(taken(await key.proofFor(elsewhere, 'token')).claims).not.toHaveProperty('nonce');
  });

  it('is refused if the stored value is not a key', async () => {
    await expect(dpopKey({ kty: 'EC' })).rejects.toMatchObject({ code: 'bad-key' });
  });
});
