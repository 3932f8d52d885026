// Start time: only the package of the used provider is loaded, with the first request.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startScriptedModel } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const HOOK = new URL('./log-loads.mjs', import.meta.url).href;
const AGENT = new URL('../../dist/index.js', import.meta.url).href;

const CREATE = `
const { chooseModel, createModel } = await import(${JSON.stringify(AGENT)});
const { model: chosen } = chooseModel({ env: process.env, flag: 'anthropic' });
const clock = { now: () => 0, elapsed: () => 0, after: () => ({ [Symbol.dispose]() {} }) };
const model = createModel(chosen, { clock, random: () => 0 });
`;
const STREAM = `
const request = { system: '', messages: [{ kind: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [] };
for await (const event of model.stream(request, new AbortController().signal)) console.log(event.kind);
`;

async function loadedBy(
  script: string,
  url: string,
): Promise<{ said: string; packages: string[] }> {
  const { stdout, stderr } = await run(
    process.execPath,
    ['--import', HOOK, '--input-type=module', '--eval', script],
    {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      env: { ...process.env, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: url },
    },
  );
  const found = [...stderr.matchAll(/node_modules\/(@ai-sdk\/[^/]+|ai|zod)\//gu)];
  return { said: stdout, packages: [...new Set(found.map(([, name = '']) => name))].toSorted() };
}

describe('a model', () => {
  it('loads only its own provider, at the first request', async () => {
    await using server = await startScriptedModel({ turns: ['hello'] });
    const created = await loadedBy(CREATE, server.url);
    expect(created.packages).toEqual([]);
    const streamed = await loadedBy(CREATE + STREAM, server.url);
    expect(streamed.said).toBe('text\nfinished\n');
    const providers = streamed.packages.filter((name) => name.startsWith('@ai-sdk/'));
    expect(providers).toEqual(['@ai-sdk/anthropic', '@ai-sdk/provider', '@ai-sdk/provider-utils']);
    expect(streamed.packages).not.toContain('ai');
  });
});
