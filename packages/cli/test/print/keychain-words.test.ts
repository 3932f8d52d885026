import type { KeychainProblem } from '@plugboard/host/configuration';
import { describe, expect, it } from 'vitest';
import { storeDocument, storeWords } from '../../src/print/keychain-words.ts';
import { secretError } from '../../src/print/secrets.ts';

const FROM = { cwd: '/work', home: '/home/me' };
const FILE = '/home/me/state/secrets.json';
const AGAIN = ', or remove ~/state/secrets.json and store the secrets again';
const OPEN = "run the command where the keychain is open, such as in your desktop's session";

const PROBLEMS: readonly (readonly [KeychainProblem, string, string])[] = [
  [
    { kind: 'no-library' },
    '@napi-rs/keyring, which opens it, is not installed',
    'install it, as npm does unless told otherwise (--include=optional)',
  ],
  [{ kind: 'no-node' }, 'it is opened by Node, and this is another program', OPEN],
  [{ kind: 'timeout' }, 'it did not answer in time', OPEN],
  [{ kind: 'no-entry' }, 'the key is not in it', 'use the keychain that it was stored with'],
  [{ kind: 'no-service', message: 'no bus' }, 'it cannot be reached (no bus)', OPEN],
  [{ kind: 'refused', message: '\u001B[2Jit is\nlocked' }, 'it stayed closed (it is locked)', OPEN],
];

describe('a problem with the keychain', () => {
  it.each(PROBLEMS)('is explained with a fix: %j', (problem, words, way) => {
    const locked = secretError({ kind: 'no-keychain', need: 'locked', where: FILE, problem }, FROM);
    expect([locked.message, locked.fix]).toEqual([
      `the key to ~/state/secrets.json is in the system's keychain, and ${words}`,
      `${way}${AGAIN}`,
    ]);
    const chosen = secretError({ kind: 'no-keychain', need: 'chosen', where: FILE, problem }, FROM);
    expect([chosen.message, chosen.fix]).toEqual([
      `PLUGBOARD_SECRETS is "keychain", and the system's keychain cannot be used: ${words}`,
      `${way}, or set PLUGBOARD_SECRETS to "file"`,
    ]);
  });

  it.each(PROBLEMS)('is shown as the reason for using a file: %j', (why, words) => {
    const store = {
      kind: 'file',
      file: FILE,
      keyFile: '/home/me/config/secrets.key',
      why,
    } as const;
    expect(storeWords(store, FROM)).toBe(
      `Kept in ~/state/secrets.json, whose key is ~/config/secrets.key: no keychain is used, since ${words}.\n`,
    );
    expect(storeDocument(store)).toEqual({ kind: 'file', why: why.kind });
  });

  it('may be a file from another machine', () => {
    const { message, fix } = secretError(
      { kind: 'wrong-key', where: FILE, keyFile: undefined },
      FROM,
    );
    expect([message, fix]).toEqual([
      '~/state/secrets.json was written on another machine, or the keychain has another key by now',
      `bring back what was in the keychain${AGAIN}`,
    ]);
  });
});
