// `plugboard secret` reports where the key to the secrets is, with a real keychain and without one.

import { missingForSecretService, startSecretService, verifies } from '@plugboard/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentOf, type Run, type Sandbox, sandbox } from '../sandbox.ts';

const missing = missingForSecretService();
const KEPT = '~/.state/plugboard/secrets.json';
const KEY = '~/.config/plugboard/secrets.key';
const STORED = `Stored "TOKEN". In a server's entry, write it as
  "headers": { "Authorization": "Bearer \${secret:TOKEN}" }
`;
const TABLE = 'NAME   WRITTEN AS\nTOKEN  ${secret:TOKEN}\n';
const NO_BUS = 'it cannot be reached (there is no D-Bus session)';
const AUTO = { PLUGBOARD_SECRETS: '' };

function store(box: Sandbox, env: Readonly<Record<string, string>>): Promise<Run> {
  return box.run(['secret', 'set', 'TOKEN'], { env, stdin: 'the value' });
}

const said = (stderr: string, stdout = ''): Run => ({ code: 0, stdout, stderr });
const refused = (message: string, fix: string): Run => ({
  code: 1,
  stdout: '',
  stderr: `error: ${message}\n  fix: ${fix}\n`,
});

describe('plugboard secret with a keychain', () => {
  verifies('AUT-10');

  beforeEach(({ skip }) => {
    skip(missing !== undefined, `${missing} is not installed`);
  });

  it('stores the key there, reports that, and explains what to do when it is gone', async () => {
    await using service = await startSecretService();
    await using box = await sandbox();
    const env = { ...AUTO, ...service.env };
    const words = `Kept in ${KEPT}, whose key is in the system's keychain.\n`;
    expect(await store(box, env)).toEqual(said(STORED + words));
    expect(await box.run(['secret', 'list'], { env })).toEqual(said(words, TABLE));
    expect(documentOf(await box.run(['secret', 'list', '--json'], { env }))).toEqual({
      store: { kind: 'keychain', why: null },
      secrets: [{ name: 'TOKEN', placeholder: '${secret:TOKEN}' }],
    });
    const gone = refused(
      `the key to ${KEPT} is in the system's keychain, and ${NO_BUS}`,
      `run the command where the keychain is open, such as in your desktop's session, or remove ${KEPT} and store the secrets again`,
    );
    expect(await box.run(['secret', 'list'], { env: AUTO })).toEqual(gone);
    expect(await store(box, AUTO)).toEqual(gone);
    await using other = await startSecretService();
    expect(await box.run(['secret', 'list'], { env: { ...AUTO, ...other.env } })).toEqual(
      refused(
        `the key to ${KEPT} is in the system's keychain, and the key is not in it`,
        `use the keychain that it was stored with, or remove ${KEPT} and store the secrets again`,
      ),
    );
  });

  it('reports that an earlier file moves to the keychain', async () => {
    await using service = await startSecretService();
    await using box = await sandbox();
    const env = { ...AUTO, ...service.env };
    expect(await store(box, { PLUGBOARD_SECRETS: 'file' })).toEqual(said(STORED));
    expect(await box.run(['secret', 'list'], { env })).toEqual(
      said(
        `Kept in ${KEPT}, whose key is ${KEY}: it moves to the keychain when a secret is stored.\n`,
        TABLE,
      ),
    );
    expect(await store(box, env)).toEqual(
      said(
        `${STORED.replace('Stored', 'Replaced')}Kept in ${KEPT}, whose key is in the system's keychain.\n`,
      ),
    );
  });

  it('reports that the keychain is locked', async () => {
    await using service = await startSecretService();
    await using box = await sandbox();
    const env = { ...AUTO, ...service.env };
    await store(box, env);
    await service.lock();
    expect(await box.run(['secret', 'list'], { env })).toEqual(
      refused(
        `the key to ${KEPT} is in the system's keychain, and it stayed closed (Couldn't access platform storage: Secret Service: unlock prompt was dismissed)`,
        `run the command where the keychain is open, such as in your desktop's session, or remove ${KEPT} and store the secrets again`,
      ),
    );
  });
});

describe('plugboard secret without a keychain', () => {
  verifies('AUT-10');

  it('stores the key in a file, and explains why', async () => {
    await using box = await sandbox();
    const words = `Kept in ${KEPT}, whose key is ${KEY}: no keychain is used, since ${NO_BUS}.\n`;
    expect(await store(box, AUTO)).toEqual(said(STORED + words));
    expect(await box.run(['secret', 'list'], { env: AUTO })).toEqual(said(words, TABLE));
    expect(documentOf(await box.run(['secret', 'list', '--json'], { env: AUTO }))).toEqual({
      store: { kind: 'file', why: 'no-service' },
      secrets: [{ name: 'TOKEN', placeholder: '${secret:TOKEN}' }],
    });
  });

  it('stores nothing if only a keychain is allowed', async () => {
    await using box = await sandbox();
    expect(await store(box, { PLUGBOARD_SECRETS: 'keychain' })).toEqual(
      refused(
        `PLUGBOARD_SECRETS is "keychain", and the system's keychain cannot be used: ${NO_BUS}`,
        'run the command where the keychain is open, such as in your desktop\'s session, or set PLUGBOARD_SECRETS to "file"',
      ),
    );
  });

  it('does not repeat an invalid value of PLUGBOARD_SECRETS', async () => {
    await using box = await sandbox();
    expect(await store(box, { PLUGBOARD_SECRETS: 'hunter2' })).toEqual(
      refused(
        'PLUGBOARD_SECRETS is not a word that says where secrets are kept',
        'set it to "auto", "keychain" or "file", or to nothing',
      ),
    );
  });
});
