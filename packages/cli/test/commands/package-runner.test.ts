// Servers that npx starts: one whose package is still being fetched, and one that needs a newer Node.js.

import { chmod } from 'node:fs/promises';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { onTerminal } from '../on-terminal.ts';
import { documentOf, type Sandbox, sandbox, SEARCH_PATH } from '../sandbox.ts';

const SERVER = scriptedServer({ builtIns: ['echo'] });
/** Longer than the timeout of the server, for machines with few cores. */
const FETCHING_MS = 14_000;
const ENTRY = { command: 'npx', args: ['-y', 'some-server'], connectTimeout: 10_000 };
const PATIENT = { timeout: 120_000 };

/** A folder for the PATH with an `npx` that runs the script. */
async function withNpx(box: Sandbox, script: string): Promise<Readonly<Record<string, string>>> {
  const file = await box.write('bin/npx', `#!/usr/bin/env node\n${script}`);
  await chmod(file, 0o755);
  return { PATH: `${box.project}/bin:${SEARCH_PATH}` };
}

const FETCHES = `setTimeout(() => {
  const { spawn } = require('node:child_process');
  spawn(${JSON.stringify(SERVER.command)}, ${JSON.stringify(SERVER.args)}, { stdio: 'inherit' })
    .once('exit', (code) => process.exit(code ?? 1));
}, ${FETCHING_MS});
`;

const TOO_OLD = `process.stderr.write(\`npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: '@bytebase/dbhub@1.4.0',
npm warn EBADENGINE   required: { node: '>=22.5.0' },
npm warn EBADENGINE   current: { node: 'v20.20.2', npm: '11.19.1' }
npm warn EBADENGINE }
Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite

Node.js v20.20.2
\`, () => process.exit(1));
`;

describe.concurrent('a server whose package npx has to fetch', PATIENT, () => {
  verifies('CON-13');

  it('gets its full timeout after the start, and the log reports the fetch once', async ({
    expect,
  }) => {
    await using box = await sandbox({ s: ENTRY });
    const env = await withNpx(box, FETCHES);
    const [people, programs] = await Promise.all([
      box.run(['call', 's', 'echo', 'message=hi'], { env }),
      box.run(['call', 's', 'echo', 'message=hi', '--json'], { env }),
    ]);
    expect(people).toEqual({
      code: 0,
      stdout: 'hi\n',
      stderr: 'npx is getting the package of s ready…\n',
    });
    expect(documentOf(programs)).toMatchObject({ kind: 'result' });
  });

  it('is reported as fetching on a terminal', async ({ expect }) => {
    await using box = await sandbox({ s: ENTRY });
    const env = { NO_COLOR: '1', ...(await withNpx(box, FETCHES)) };
    await using terminal = await onTerminal(box, ['tools', 's'], { env });
    await terminal.waitFor('npx is getting the package of s ready…');
    expect((await terminal.exited).code).toBe(0);
  });
});

describe.concurrent('a server that needs a newer Node.js', PATIENT, () => {
  it('is reported with the required version', async ({ expect }) => {
    verifies('CON-13');
    await using box = await sandbox({ s: ENTRY });
    const env = await withNpx(box, TOO_OLD);
    const [people, programs] = await Promise.all([
      box.run(['tools', 's'], { env }),
      box.run(['call', 's', 'echo', '--json'], { env }),
    ]);
    expect(people).toMatchObject({ code: 2, stdout: '' });
    expect(people.stderr).toContain(
      'error: server "s" needs Node.js >=22.5.0, and was started with v20.20.2\n',
    );
    expect(people.stderr).toContain('fix: install a newer Node.js and put it first in PATH');
    expect(programs.code).toBe(2);
    expect(documentOf(programs)).toMatchObject({ error: { kind: 'runtime-too-old' } });
  });
});
