import { startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';

const LIKE = 'it must print an object of texts, like {"Authorization": "Bearer …"}';

describe.concurrent('a server with a headers helper', () => {
  verifies('CFG-15');

  it('receives the headers that the helper prints', async ({ expect }) => {
    await using peer = await startScriptedHttp();
    peer.demand('Bearer s3cret');
    const headersHelper = `echo '{"Authorization":"Bearer s3cret"}'`;
    await using box = await sandbox({ web: { type: 'http', url: peer.url, headersHelper } });
    expect(await box.run(['call', 'web', 'echo', 'message=hi'])).toEqual({
      code: 0,
      stdout: 'hi\n',
      stderr: '',
    });
    const { stdout } = await box.run(['get', 'web', '--json']);
    expect(stdout).not.toContain('s3cret');
  });

  it.for([
    [
      `sh -c 'echo s3cret; echo no login >&2; exit 3'`,
      `needs headers, and the command for them ended with exit code 3
  at:  .mcp.json:3:5
  | no login
  fix: run that command yourself and fix what it complains about, or correct "headersHelper" in its entry
`,
    ],
    [
      'echo s3cret',
      `needs headers, and what the command for them printed is not JSON
  at:  .mcp.json:3:5
  fix: correct "headersHelper" in its entry: ${LIKE}
`,
    ],
    [
      'yes s3cret',
      `needs headers, and the command for them printed more than 65536 bytes
  at:  .mcp.json:3:5
  fix: correct "headersHelper" in its entry: ${LIKE}
`,
    ],
    [
      'no-such-command-here',
      `needs headers, and the command for them is not installed
  at:  .mcp.json:3:5
  fix: correct "headersHelper" in its entry
`,
    ],
    [
      'vault read x | jq .',
      `has a command for its headers that only a shell could run
  at:  .mcp.json:3:5
  fix: quote the | in "headersHelper" in its entry, or let a shell run it: sh -c '…'
`,
    ],
  ])(
    'is not reached after %s, and the user sees the reason',
    async ([headersHelper = '', words], { expect }) => {
      await using box = await sandbox({
        web: { type: 'http', url: 'http://127.0.0.1:2/mcp', headersHelper },
      });
      expect(await box.run(['tools', 'web'])).toEqual({
        code: 1,
        stdout: '',
        stderr: `error: server "web" ${words}`,
      });
    },
  );

  it('has a separate step in doctor', async ({ expect }) => {
    await using box = await sandbox({
      web: { type: 'http', url: 'http://127.0.0.1:2/mcp', headersHelper: 'false' },
    });
    const { code, stdout } = await box.run(['doctor', 'web']);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `Server "web" does not work.

  ok      configured  .mcp.json:3:5 (project)
  ok      variables   all that it needs are set
  failed  headers     not printed by its command

error: server "web" needs headers, and the command for them ended with exit code 1
  at:  .mcp.json:3:5
  fix: run that command yourself and fix what it complains about, or correct "headersHelper" in its entry
`,
    });
  });
});

describe.concurrent('a server that needs a secret', () => {
  verifies('CFG-15');

  it('is not reached without it, and the user sees what to do', async ({ expect }) => {
    await using box = await sandbox({
      web: { url: 'http://127.0.0.1:2/mcp', headers: { Authorization: 'Bearer ${secret:WEB}' } },
    });
    const { code, stderr } = await box.run(['tools', 'web']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: server "web" is not completely configured
  at:  .mcp.json:3:5
  | "web" needs the secret WEB (in "headers.Authorization"), which is not stored
  fix: store it: plugboard secret set WEB
`,
    });
    expect((await box.run(['get', 'web'])).stdout).toContain('Bearer ${secret:WEB}');
  });
});
