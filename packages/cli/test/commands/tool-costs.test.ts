// What tools cost a model, from what was listed before.

import { scriptedServer } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, sandbox } from '../sandbox.ts';

const big = {
  name: 'big',
  description: 'Takes much to say. '.repeat(60),
};

describe.concurrent('plugboard context', () => {
  it('shows what each server costs, the dearest tools, and what is sent', async ({ expect }) => {
    await using box = await sandbox({
      large: scriptedServer({ builtIns: [], tools: [big, { name: 'small' }] }),
      kept: { ...scriptedServer({ builtIns: ['echo'] }), alwaysLoad: true },
    });
    expect((await box.run(['tools'])).code).toBe(0);
    const whole = await box.run(['context']);
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    expect(whole.stdout).toMatch(
      /^SERVER +TOOLS +TOKENS +HOW\nkept +1 +\d+ +sent\nlarge +2 +\d+ +sent\n/,
    );
    expect(whole.stdout).toMatch(/DEAREST TOOLS\n\d+ +large\/big\n/);
    expect(whole.stdout).toContain('within the budget of 30,000: all are sent.');
    const tight = await box.run(['context', '--budget', '100']);
    expect(tight.stdout).toMatch(/kept +1 +\d+ +sent\nlarge +2 +\d+ +searched for\n/);
    expect(tight.stdout).toContain('over the budget of 100.');
  });

  it('counts the tools of built-in servers as sent, as in a chat', async ({ expect }) => {
    await using box = await sandbox({ s: scriptedServer({ builtIns: ['echo'] }) });
    const env = { PLUGBOARD_CODEBASE: 'on' };
    expect((await box.run(['tools'], { env })).code).toBe(0);
    const { stdout } = await box.run(['context', '--budget', '0'], { env });
    expect(stdout).toMatch(/codebase +\d+ +[\d,]+ +sent\ns +1 +\d+ +searched for\n/);
  });

  it('has the same as one document', async ({ expect }) => {
    await using box = await sandbox({ s: scriptedServer({ builtIns: ['echo'] }) });
    expect((await box.run(['tools'])).code).toBe(0);
    const costs = documentOf(await box.run(['context', '--window', '1000', '--json']));
    expect(costs).toMatchObject({
      servers: [{ server: 's', mode: 'direct', tools: 1, tokens: expect.any(Number) }],
      dearest: [{ server: 's', tool: 'echo', tokens: expect.any(Number) }],
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

  it('refuses a budget that is no number', async ({ expect }) => {
    await using box = await sandbox();
    const { code, stderr } = await box.run(['context', '--budget', 'much']);
    expect(code).toBe(1);
    expect(stderr).toContain('--budget takes a number of tokens');
  });
});
