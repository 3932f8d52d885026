// The settings that only the user can set for all servers, `identityProvider` and `limits`, in real files.

import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type AdmittedConfiguration, readConfiguration } from '../../src/admission/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const USER = 'home/.config/plugboard/settings.json';
const PROJECT = 'project/.plugboard/settings.json';
const LOCAL = 'project/.plugboard/settings.local.json';

const PROVIDER = { issuer: 'https://idp.example', clientId: 'me' };
const VOUCHED = { url: 'https://docs.example/mcp', oauth: { xaa: true } };

async function read(folder: TempFolder): Promise<AdmittedConfiguration> {
  await folder.mkdir('project/.git');
  // Approvals are not tested here.
  return readConfiguration({ environment: testEnvironment(folder.path), trust: 'project' });
}

const shown = (folder: TempFolder, { diagnostics }: AdmittedConfiguration) =>
  diagnostics.map(({ severity, message, suggestion, file, line, column }) => [
    `${severity} ${file.slice(folder.path.length + 1)}:${line}:${column}`,
    message,
    suggestion,
  ]);

describe('the identity provider of the user', () => {
  verifies('AUT-08');

  it('is filled in if an entry has "xaa": true, with its secret left in the store', async () => {
    await using folder = await tempFolder();
    const provider = { ...PROVIDER, clientSecret: '${secret:IDP}', callbackPort: 8123 };
    await folder.write(USER, JSON.stringify({ identityProvider: provider }));
    await folder.write(PROJECT, JSON.stringify({ mcpServers: { docs: VOUCHED } }));
    const { servers, diagnostics } = await read(folder);
    expect(diagnostics).toEqual([]);
    expect(servers).toMatchObject([
      {
        written: { oauth: { xaa: true } },
        resolved: {
          kind: 'ready',
          entry: {
            oauth: { xaa: { ...PROVIDER, callbackPort: 8123, clientSecret: '\0secret:IDP\0' } },
          },
          secrets: [{ name: 'IDP', server: 'docs', field: 'identityProvider.clientSecret' }],
        },
      },
    ]);
  });

  it('is reported as missing before a sign-in, at the entry that needs it', async () => {
    verifies('CFG-06');
    await using folder = await tempFolder();
    await folder.write(
      USER,
      `{
  "mcpServers": {
    "docs": { "url": "https://docs.example/mcp",
      "oauth": { "xaa": true } }
  }
}`,
    );
    const [server] = (await read(folder)).servers;
    expect(server?.resolved).toEqual({
      kind: 'unresolved',
      diagnostics: [
        {
          severity: 'error',
          code: 'missing-identity-provider',
          message:
            '"docs" is signed in to through your identity provider ("oauth.xaa" is true), and your settings name none.',
          suggestion:
            'Add "identityProvider": { "issuer": "https://login.example.com", "clientId": "some-client" } to your own settings: plugboard config path --scope user.',
          file: `${folder.path}/${USER}`,
          line: 4,
          column: 18,
          server: 'docs',
        },
      ],
    });
  });

  it.each([PROJECT, LOCAL])('cannot be named in %s, even in a trusted project', async (file) => {
    await using folder = await tempFolder();
    await folder.write(
      file,
      JSON.stringify({ identityProvider: PROVIDER, mcpServers: { docs: VOUCHED } }),
    );
    const configuration = await read(folder);
    expect(configuration.servers).toMatchObject([{ resolved: { kind: 'unresolved' } }]);
    expect(configuration.identityProvider).toEqual([]);
    expect(shown(folder, configuration)).toEqual([
      [
        `warning ${file}:1:2`,
        '"identityProvider" has no effect in a file that may have come with a project.',
        'Move it into your own settings: plugboard config path --scope user',
      ],
    ]);
  });

  it.each([
    [{ issuer: 'https://idp.example' }, 'error', '"identityProvider" must have "clientId".'],
    [
      { ...PROVIDER, clientSecret: 'hush' },
      'error',
      '"identityProvider.clientSecret" must be written as ${secret:NAME}; store it: plugboard secret set NAME.',
    ],
    [
      { ...PROVIDER, callbackPort: '1' },
      'error',
      '"identityProvider.callbackPort" must be a number.',
    ],
  ])('is not accepted in part: %j', async (provider, severity, message) => {
    verifies('CFG-06');
    await using folder = await tempFolder();
    await folder.write(USER, JSON.stringify({ identityProvider: provider }));
    const configuration = await read(folder);
    expect(configuration.identityProvider).toEqual([]);
    expect(configuration.diagnostics).toMatchObject([{ severity, message }]);
  });
});

describe('the limits of the user', () => {
  verifies('CON-03');

  it('are read from the settings of the user, and from no file of a project', async () => {
    await using folder = await tempFolder();
    await folder.write(USER, JSON.stringify({ limits: { connectingLocal: 5 } }));
    await folder.write(PROJECT, JSON.stringify({ limits: { connectingLocal: 900 } }));
    const configuration = await read(folder);
    expect(configuration.limits).toMatchObject([{ scope: 'user', connectingLocal: 5 }]);
    expect(shown(folder, configuration)).toEqual([
      [
        `warning ${PROJECT}:1:2`,
        '"limits" has no effect in a file that may have come with a project.',
        'Move it into your own settings: plugboard config path --scope user',
      ],
    ]);
  });

  it('apply one by one if one of them is invalid', async () => {
    verifies('CFG-06');
    await using folder = await tempFolder();
    await folder.write(
      USER,
      JSON.stringify({ limits: { connectingLocal: 0, connectingRemote: 7, conecting: 1 } }),
    );
    const configuration = await read(folder);
    expect(configuration.limits).toMatchObject([{ connectingRemote: 7 }]);
    expect(configuration.limits[0]).not.toHaveProperty('connectingLocal');
    expect(configuration.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['bad-value', '"limits.connectingLocal" must be at least 1.'],
      ['unknown-key', '"limits" can only have "connectingLocal", "connectingRemote".'],
    ]);
  });
});
