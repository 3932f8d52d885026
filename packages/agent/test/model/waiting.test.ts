// A program that only waits for a model stays alive until there is an answer or a failure.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startScriptedModel } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const AGENT = new URL('../../dist/index.js', import.meta.url).href;

const PROGRAM = `
const { chooseModel, createModel } = await import(${JSON.stringify(AGENT)});
const { model: chosen } = chooseModel({ env: process.env, flag: 'anthropic' });
const model = createModel(chosen);
const request = { system: '', messages: [{ kind: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [] };
for await (const event of model.stream(request, new AbortController().signal)) console.log(event.kind);
`;

describe('a program that waits for a model', () => {
  it('stays alive during the pause before the next attempt, without anything else open', async () => {
    await using server = await startScriptedModel({
      turns: [{ kind: 'fails', failure: { kind: 'server-error' } }, 'hello'],
    });
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      env: { ...process.env, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url },
    });
    expect(stdout).toBe('retrying\ntext\nfinished\n');
  });
});
