// The state of a server in the gateway if clients have their own connections to it.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { tempFolder, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGateway, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

describe('the state of a legacy server whose clients have a process each', () => {
  it('is that of the last process, even if the process of the gateway itself ended before', async () => {
    const folder = scope.use(await tempFolder());
    const licence = join(folder.path, 'licence');
    await writeFile(licence, '');
    const { command, args } = serverOf('legacy', { builtIns: ['echo', 'pids'] });
    const check = `test -e '${licence}' || { echo no licence >&2; exit 3; }; exec "$0" "$@"`;
    const one = { command: 'sh', args: ['-c', check, command, ...args] };
    const { connect, gateway } = await openGateway(scope, { servers: { one } });
    const state = (): unknown => gateway.host.servers[0]?.state;
    const listed = await gateway.host.call({ server: 'one', tool: 'pids' }, {});
    process.kill(Number(/\d{2,}/.exec(JSON.stringify(listed))?.[0]), 'SIGKILL');
    const hasEnded = (): boolean => gateway.host.servers[0]?.state.kind === 'failed';
    await waitUntil(hasEnded, { describe: 'the end of the process of the gateway' });
    await rm(licence);
    const client = await connect('legacy');
    const call = async (): Promise<string> =>
      JSON.stringify(await client.callTool({ name: 'one__echo', arguments: { message: 'hi' } }));
    expect(await call()).toContain('no licence');
    expect(state()).toMatchObject({
      kind: 'failed',
      failure: { kind: 'exited', exit: { code: 3 }, evidence: { stderr: ['no licence'] } },
    });
    await writeFile(licence, '');
    expect(await call()).toContain('"text":"hi"');
    expect(state()).not.toMatchObject({ kind: 'failed' });
  });
});
