import { scriptedServer, startScriptedModel, startScriptedSse, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { answersIn, calling, modelEnv } from '../chat/chat-on-terminal.ts';
import { type Sandbox, sandbox } from '../sandbox.ts';

async function withEditor(box: Sandbox, url: string): Promise<void> {
  const lock = { pid: process.pid, workspaceFolders: [box.project], authToken: 'abc-123' };
  await box.write(`../home/.claude/ide/${new URL(url).port}.lock`, JSON.stringify(lock));
}

const SCRIPT = {
  builtIns: [],
  tools: [{ name: 'look', result: { content: [{ type: 'text', text: 'a cat' }] } }],
} as const;

describe('the server of an editor that has the folder open', () => {
  verifies('TRN-07');

  it('is listed and used without an entry, and can be disabled', async () => {
    await using peer = await startScriptedSse(SCRIPT);
    await using box = await sandbox();
    await withEditor(box, peer.url);
    const { code, stdout, stderr } = await box.run(['list']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `NAME  STATE  TYPE  SCOPE    CONFIGURED AT         RUNS
ide   idle   sse   dynamic  given by your editor  ${peer.url}
`,
      stderr: '',
    });
    expect((await box.run(['call', 'ide', 'look', '--yes'])).stdout).toBe('a cat\n');
    expect(await box.run(['remove', 'ide'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: "ide" was announced by your editor\n  fix: switch it off: plugboard disable ide\n',
    });
    const off = await box.run(['list'], { env: { PLUGBOARD_EDITORS: 'off' } });
    expect(off.stdout).toBe('');
    await box.run(['disable', 'ide']);
    expect((await box.run(['list'])).stdout).toContain('ide   disabled');
  });

  it('offers its tools to the model of `run`', async () => {
    await using peer = await startScriptedSse(SCRIPT);
    await using box = await sandbox({ other: scriptedServer({ builtIns: [] }) });
    await withEditor(box, peer.url);
    await using model = await startScriptedModel({
      turns: [calling(['mcp__ide__look', {}]), 'A cat.'],
    });
    const run = await box.run(['run', 'look', '--yes'], { env: modelEnv(model) });
    expect(run.code).toBe(0);
    expect(answersIn(model.requests.at(-1))).toMatchObject([{ text: 'a cat' }]);
  });
});
