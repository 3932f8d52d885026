// The protocol of every provider through the whole program, and every way to choose a provider.

import {
  type ScriptedModel,
  startScriptedModel,
  verifies,
  type WireName,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { calling, chatOn, say, USER_SETTINGS } from './chat-on-terminal.ts';

interface Way {
  readonly name: string;
  readonly wire: WireName;
  readonly model: string;
  readonly flag?: string;
  readonly settings?: (url: string) => object;
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** The header with the key. */
  readonly key?: readonly [header: string, value: string];
}

const noEnv = (): Readonly<Record<string, string>> => ({});

const WAYS: readonly Way[] = [
  {
    name: 'Anthropic, by its key',
    wire: 'anthropic',
    model: 'claude-sonnet-5-5',
    env: (url) => ({ ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: url }),
    key: ['x-api-key', 'a-key'],
  },
  {
    name: 'OpenAI, by its key',
    wire: 'responses',
    model: 'gpt-6.1-sol',
    env: (url) => ({ OPENAI_API_KEY: 'o-key', OPENAI_BASE_URL: url }),
    key: ['authorization', 'Bearer o-key'],
  },
  {
    name: 'Google, by its key',
    wire: 'google',
    model: 'gemini-3.8-flash',
    env: (url) => ({ GEMINI_API_KEY: 'g-key', GOOGLE_GEMINI_BASE_URL: url }),
    key: ['x-goog-api-key', 'g-key'],
  },
  {
    name: 'an endpoint like OpenAI’s, by its address and model',
    wire: 'chat',
    model: 'qwen',
    env: (url) => ({ OPENAI_BASE_URL: url, OPENAI_MODEL: 'qwen' }),
  },
  {
    name: 'Google, by flag, though another key is there',
    wire: 'google',
    model: 'gemini-other',
    flag: 'google/gemini-other',
    env: (url) => ({
      ANTHROPIC_API_KEY: 'a-key',
      GEMINI_API_KEY: 'g-key',
      GOOGLE_GEMINI_BASE_URL: url,
    }),
    key: ['x-goog-api-key', 'g-key'],
  },
  {
    name: 'OpenAI, by settings, though another key is there',
    wire: 'responses',
    model: 'gpt-other',
    settings: (url) => ({
      model: 'openai/gpt-other',
      providers: { openai: { baseUrl: url, apiKeyVariable: 'MY_KEY' } },
    }),
    env: () => ({ ANTHROPIC_API_KEY: 'a-key', MY_KEY: 'm-key' }),
    key: ['authorization', 'Bearer m-key'],
  },
  {
    name: 'Ollama, by flag, at an address in the settings',
    wire: 'chat',
    model: 'llama',
    flag: 'ollama/llama',
    settings: (url) => ({ providers: { ollama: { baseUrl: `${url}/v1` } } }),
    env: noEnv,
  },
];

const WRITING = [
  calling(['mcp__workspace__write_file', { path: 'a.txt', content: 'written\n' }]),
  'It is there.',
];

describe('a turn with a tool call', () => {
  it.for(WAYS)('works with $name', async (way, { expect }) => {
    verifies('AGT-01');
    await using box = await sandbox();
    await using model = await startScriptedModel({ turns: WRITING });
    const { settings, flag, key } = way;
    if (settings !== undefined) {
      await box.write(USER_SETTINGS, JSON.stringify({ chat: settings(model.url) }));
    }
    const args = ['run', '--yes', 'go', ...(flag === undefined ? [] : ['--model', flag])];
    const run = await box.run(args, { env: way.env(model.url) });
    expect(run).toMatchObject({ code: 0, stdout: 'It is there.\n' });
    expect(await box.read('a.txt')).toBe('written\n');
    const { wire } = way;
    const seen = { wire, model: way.model };
    expect(model.requests.map((request) => ({ wire: request.wire, model: request.model }))).toEqual(
      [seen, seen],
    );
    if (key !== undefined) expect(model.requests[0]?.headers[key[0]]).toBe(key[1]);
    expect(model.requests[1]?.text).toContain('a.txt');
  });

  it('works with another provider after the model is switched', async ({ expect }) => {
    verifies('AGT-01');
    await using box = await sandbox();
    await using one = await startScriptedModel({ turns: ['I am the first.'] });
    await using other = await startScriptedModel({ turns: ['I am the second.'] });
    await using screen = await chatOn(box, one, {
      env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: other.url },
    });
    await say(screen, 'who are you');
    await screen.shows('I am the first.');
    await say(screen, '/model openai/gpt-6');
    await screen.shows('openai/gpt-6 answers from now on');
    await say(screen, 'and now');
    await screen.shows('I am the second.');
    expect(wiresOf(other)).toEqual(['responses']);
    expect(other.requests[0]?.text).toContain('I am the first.');
  });
});

function wiresOf({ requests }: ScriptedModel): readonly WireName[] {
  return requests.map(({ wire }) => wire);
}
