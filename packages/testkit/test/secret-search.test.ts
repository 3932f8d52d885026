import { createSigner, filesUnder, searchForSecrets, tempFolder } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const TOKEN = { kind: 'access-token', value: 'at_Xb8-qJ4wZ_7kLmN0pRsTuVyA1cDeFgH' };

function foundIn(text: string) {
  return searchForSecrets([TOKEN], { log: text }).map(({ spelling }) => spelling);
}

describe('searching for a secret', () => {
  it('finds it in base64, at any offset', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (before, after) => {
        const bytes = Buffer.concat([before, Buffer.from(TOKEN.value), after]);
        expect(foundIn(`x ${bytes.toString('base64')} y`)).toEqual(['base64']);
        expect(foundIn(`x ${bytes.toString('base64url')} y`)).toEqual(['base64']);
      }),
    );
  });

  it('finds it plain, in hexadecimal, in an address, and truncated', () => {
    const { value } = TOKEN;
    expect(foundIn(`Bearer ${value}.`)).toEqual(['plain']);
    expect(foundIn(`${value.slice(0, 22)}…`)).toEqual(['plain']);
    expect(foundIn(`…${value.slice(-22)}`)).toEqual(['plain']);
    expect(foundIn(Buffer.from(value).toString('hex'))).toEqual(['hex']);
    expect(foundIn(Buffer.from(value).toString('hex').toUpperCase())).toEqual(['hex']);
    const odd = { kind: 'client-secret', value: 'a/b+c d=e&f' };
    const address = { url: `https://as.example/?s=${encodeURIComponent(odd.value)}` };
    expect(searchForSecrets([odd], address)).toEqual([
      { kind: 'client-secret', index: 0, where: 'url', spelling: 'url' },
    ]);
  });

  it('does not find it elsewhere', () => {
    expect(foundIn('at_something-else')).toEqual([]);
  });

  it('finds a characteristic part of it: the signature of a signed token, a line of a key', () => {
    const signer = createSigner();
    const { privateKeyPem: value } = signer;
    const [, line = ''] = value.split('\n');
    expect(searchForSecrets([{ kind: 'key', value }], { out: `key: ${line}` })).toHaveLength(1);
    const token = signer.sign({ sub: 'alice' });
    const [header = '', , signature = ''] = token.split('.');
    expect(searchForSecrets([{ kind: 'id-token', value: token }], { header })).toEqual([]);
    expect(searchForSecrets([{ kind: 'id-token', value: token }], { signature })).toHaveLength(1);
  });

  it('finds it in the name of a file and in a file of a subfolder', async () => {
    await using folder = await tempFolder();
    await folder.write(`a/${TOKEN.value}.txt`, 'nothing');
    await folder.write('a/b/notes.txt', `token ${TOKEN.value}`);
    await folder.write('c.txt', 'nothing');
    const found = searchForSecrets([TOKEN], await filesUnder(folder.path));
    expect(found.map(({ where }) => where).toSorted()).toEqual([
      `${folder.path}/a/${TOKEN.value}.txt`,
      `${folder.path}/a/b/notes.txt`,
    ]);
  });

  it('refuses a secret that is too short to be distinguished from chance', () => {
    expect(() => searchForSecrets([{ kind: 'pin', value: '1234' }], {})).toThrow('too short');
  });
});
