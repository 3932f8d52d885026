// The token costs of tools, from stored lists.

import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, sandbox } from '../sandbox.ts';

const big = {
  name: 'big',
  description: 'Takes much to say. '.repeat(60),
};

describe.concurrent('plugboard context', () => {
  verifies('CTX-03');

  it('shows what each server costs, the most expensive tools, and what is sent', async ({
    expect,
  }) => {
    await using box = await sandbox({
      large: scriptedServer({ builtIns: [], tools: [big, { name: 'small' }] }),
      kept: { ...scriptedServer({ builtIns: ['echo'] }), alwaysLoad: true },
    });
    expect((await box.run(['tools'])).code).toBe(0);
    const whole = await box.run(['context']);
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    expect(whole.stdout).toMatch(
      /^SERVER +TOOLS +TOKENS +SENT +HOW, AND WHY\nkept +1 +(\d+) +\1 +sent: always loaded\nlarge +2 +(\d+) +\2 +sent: all together cost less than a search\n/,
    );
    expect(whole.stdout).toMatch(/MOST EXPENSIVE TOOLS\n\d+ +large\/big\n/);
    expect(whole.stdout).toContain('and a request has them all, within the budget of 30,000.');
    const tight = await box.run(['context', '--tool-budget', '100']);
    expect(tight.stdout).toMatch(
      /kept +1 +(\d+) +\1 +sent: always loaded\nlarge +2 +\d+ +0 +searched for: over the budget\n/,
    );
    expect(tight.stdout).toContain('over the budget of 100.');
  });

  it('counts the tools of built-in servers as sent, as in a chat', async ({ expect }) => {
    await using box = await sandbox({ s: scriptedServer({ builtIns: ['echo'] }) });
    const env = { PLUGBOARD_CODEBASE: 'on' };
    expect((await box.run(['tools'], { env })).code).toBe(0);
    const { stdout } = await box.run(['context', '--tool-budget', '0'], { env });
    expect(stdout).toMatch(
      /codebase +\d+ +([\d,]+) +\1 +sent: always loaded\ns +1 +\d+ +0 +searched for: over the budget\n/,
    );
  });

  it('prints the same as one document with --json', async ({ expect }) => {
    await using box = await sandbox({ s: scriptedServer({ builtIns: ['echo'] }) });
    expect((await box.run(['tools'])).code).toBe(0);
    const costs = documentOf(await box.run(['context', '--window', '1000', '--json']));
    expect(costs).toMatchObject({
      servers: [
        {
          ...{ server: 's', mode: 'direct', reason: 'cheapest', tools: 1, sent: 1 },
          ...{ tokens: expect.any(Number), sentTokens: expect.any(Number) },
        },
      ],
      dearest: [{ server: 's', tool: 'echo', tokens: expect.any(Number) }],
      window: 1000,
      budget: 150,
      unknown: [],
    });
  });

  it('names servers that were not listed, and starts none', async ({ expect }) => {
    await using box = await sandbox({ s: scriptedServer({ builtIns: ['echo'] }) });
    expect(await box.run(['context'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No tools are known yet. List them first: plugboard tools\n',
    });
    expect(documentOf(await box.run(['context', '--json']))).toMatchObject({ unknown: ['s'] });
  });

  it('uses the budget of the settings, and the window of the model', async ({ expect }) => {
    await using box = await sandbox({ s: scriptedServer({ builtIns: ['echo'] }) });
    expect((await box.run(['tools'])).code).toBe(0);
    const named = ['context', '--json', '--model', 'google/gemini-3.8-flash'];
    const env = { GEMINI_API_KEY: 'none-that-is-used' };
    const byDefault = documentOf(await box.run(named, { env }));
    expect(byDefault).toMatchObject({ window: 1_048_576, budget: 157_286 });
    await box.write(
      '../home/.config/plugboard/settings.json',
      JSON.stringify({ chat: { toolBudget: '1%' } }),
    );
    expect(documentOf(await box.run(named, { env }))).toMatchObject({ budget: 10_486 });
    const flag = await box.run([...named, '--tool-budget', '30'], { env });
    expect(documentOf(flag)).toMatchObject({ budget: 30, servers: [{ mode: 'search' }] });
    await box.write(
      '../home/.config/plugboard/settings.json',
      JSON.stringify({ chat: { toolBudget: 'much' } }),
    );
    const { stderr } = await box.run(['context']);
    expect(stderr).toContain(
      '"chat.toolBudget" must be a number of tokens, or a share of the context',
    );
  });

  it('counts with the published tokenizer of a model, and estimates without one', async ({
    expect,
  }) => {
    const long = { name: 'long', description: 'internationalization '.repeat(50) };
    await using box = await sandbox({ s: scriptedServer({ builtIns: [], tools: [long] }) });
    expect((await box.run(['tools'])).code).toBe(0);
    const env = { OPENAI_API_KEY: 'none-that-is-used', ANTHROPIC_API_KEY: 'none-that-is-used' };
    const costsFor = async (model: string) =>
      documentOf(await box.run(['context', '--json', '--model', model], { env }));
    expect(await costsFor('anthropic/claude-sonnet-5')).toMatchObject({
      tokenizer: null,
      tokens: { all: 281 },
    });
    expect(await costsFor('openai/gpt-5')).toMatchObject({
      tokenizer: 'o200k_base',
      tokens: { all: 120 },
    });
    expect(await costsFor('openai/gpt-4-turbo')).toMatchObject({ tokenizer: 'cl100k_base' });
    const { stdout } = await box.run(['context', '--model', 'openai/gpt-5'], { env });
    expect(stdout).toMatch(/Tokens are\s+counted\s+by\s+o200k_base\./u);
  });

  it('refuses a budget that is not a number', async ({ expect }) => {
    await using box = await sandbox();
    const { code, stderr } = await box.run(['context', '--tool-budget', 'much']);
    expect(code).toBe(1);
    expect(stderr).toContain('--tool-budget takes a number of tokens or a share');
  });
});
