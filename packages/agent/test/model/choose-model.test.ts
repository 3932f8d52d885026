// Which model is chosen, by the flag, the settings and the environment.

import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseModel, type ModelChoice, type ModelWish, ways } from '../../src/index.ts';

const KEYS = { ANTHROPIC_API_KEY: 'a-key', OPENAI_API_KEY: 'o-key', GEMINI_API_KEY: 'g-key' };

function nameOf(choice: ModelChoice): string {
  return choice.kind === 'chosen' ? choice.model.name : choice.problem.kind;
}

function chosen(wish: ModelWish): Extract<ModelChoice, { kind: 'chosen' }>['model'] {
  const choice = chooseModel(wish);
  if (choice.kind === 'none') throw new Error(choice.problem.kind);
  return choice.model;
}

describe('the choice of a model', () => {
  it('follows the flag, then the settings, then the available key', () => {
    verifies('AGT-01');
    const settings = { model: 'openai/gpt-6-luna' };
    const flag = 'google/gemini-4-argon';
    expect(chosen({ flag, settings, env: KEYS }).name).toBe(flag);
    expect(chosen({ settings, env: KEYS }).name).toBe('openai/gpt-6-luna');
    expect(chosen({ env: KEYS })).toEqual({
      name: 'anthropic/claude-sonnet-5-5',
      provider: 'anthropic',
      kind: 'anthropic',
      model: 'claude-sonnet-5-5',
      baseUrl: 'https://api.anthropic.com/v1',
      apiKey: 'a-key',
      toolSearch: 'native',
    });
  });

  it.each<[string, string, 'native' | 'tools']>([
    ['anthropic/claude-opus-4-1', '', 'native'],
    ['anthropic/claude-sonnet-4-20250514', '', 'native'],
    ['anthropic/claude-haiku-4-5-20251001', '', 'native'],
    ['anthropic/claude-fable-5-1', '', 'native'],
    ['anthropic/claude-3-5-haiku-20241022', '', 'tools'],
    ['anthropic/claude-sonnet-5-5', 'https://proxy.example', 'tools'],
    ['openai/gpt-5.4', '', 'native'],
    ['openai/gpt-6.1-sol', '', 'native'],
    ['openai/gpt-5.3', '', 'tools'],
    ['openai/gpt-5.4-nano', '', 'tools'],
    ['openai/o3', '', 'tools'],
    ['openai/gpt-6.1-sol', 'https://proxy.example/v1', 'tools'],
    ['google/gemini-3.8-flash', '', 'tools'],
    ['compatible/gpt-6.1-sol', 'https://proxy.example/v1', 'tools'],
  ])('searches for tools of %s at "%s" by %s', (flag, address, toolSearch) => {
    verifies('CTX-01');
    const elsewhere =
      address === '' ? {} : { ANTHROPIC_BASE_URL: address, OPENAI_BASE_URL: address };
    expect(chosen({ flag, env: { ...KEYS, ...elsewhere } }).toolSearch).toBe(toolSearch);
    for (const stated of ['native', 'tools'] as const) {
      const [provider = ''] = flag.split('/');
      const settings = { providers: { [provider]: { toolSearch: stated } } };
      expect(chosen({ flag, settings, env: { ...KEYS, ...elsewhere } }).toolSearch).toBe(stated);
    }
  });

  it.each<[string, Record<string, string>, string]>([
    ['a key of OpenAI', { OPENAI_API_KEY: 'k' }, 'openai/gpt-6.1-sol'],
    ['a key of Google', { GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, 'google/gemini-3.8-flash'],
    ['the other key of Google', { GEMINI_API_KEY: 'k' }, 'google/gemini-3.8-flash'],
    [
      'an address and a model',
      { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'm', OPENAI_API_KEY: 'k' },
      'compatible/m',
    ],
    [
      'an address and a key, which may be a gateway to OpenAI',
      { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'k' },
      'openai/gpt-6.1-sol',
    ],
    ['a model of Ollama', { OLLAMA_MODEL: 'qwen3' }, 'ollama/qwen3'],
    ['an empty key', { ANTHROPIC_API_KEY: ' ' }, 'nothing-set'],
    ['nothing', {}, 'nothing-set'],
  ])('follows the environment with %s', (_, env, expected) => {
    expect(nameOf(chooseModel({ env }))).toBe(expected);
  });

  it.each<[string, string]>([
    ['anthropic', 'anthropic/claude-sonnet-5-5'],
    ['claude-opus-5-5', 'anthropic/claude-opus-5-5'],
    ['gpt-6-luna', 'openai/gpt-6-luna'],
    ['o3', 'openai/o3'],
    ['gemini-4-argon', 'google/gemini-4-argon'],
    ['ollama/hf.co/some/model:Q4', 'ollama/hf.co/some/model:Q4'],
    ['ollama', 'no-model'],
    ['compatible/m', 'no-address'],
    ['nonesuch/m', 'unknown-provider'],
    ['__proto__/m', 'unknown-provider'],
    ['/m', 'unknown-provider'],
  ])('resolves the name %s', (flag, expected) => {
    expect(nameOf(chooseModel({ flag, env: KEYS, settings: { providers: {} } }))).toBe(expected);
  });

  it('names the missing key of the requested model', () => {
    expect(chooseModel({ flag: 'google/gemini-4-argon', env: {} })).toEqual({
      kind: 'none',
      problem: {
        kind: 'no-key',
        provider: 'google',
        variables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
      },
      ways: ways(),
    });
  });

  it('accepts an endpoint from the settings, by name or because it is the only one', () => {
    const settings = {
      providers: {
        home: { baseUrl: 'http://192.168.1.5:8080', model: 'glm', contextTokens: 64_000 },
      },
    };
    const expected = {
      name: 'home/glm',
      provider: 'home',
      kind: 'compatible',
      model: 'glm',
      baseUrl: 'http://192.168.1.5:8080/v1',
      apiKey: '',
      contextTokens: 64_000,
      toolSearch: 'tools',
    };
    expect(chosen({ settings, env: {} })).toEqual(expected);
    expect(chosen({ settings, env: {}, flag: 'home' })).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ['anthropic/m', 'http://127.0.0.1:1', 'http://127.0.0.1:1/v1'],
    ['anthropic/m', 'https://gate.example/anthropic/', 'https://gate.example/anthropic/v1'],
    ['anthropic/m', 'https://gate.example/v1/', 'https://gate.example/v1'],
    ['openai/m', 'http://127.0.0.1:1/', 'http://127.0.0.1:1/v1'],
    ['openai/m', 'https://gate.example/openai', 'https://gate.example/openai'],
    ['google/m', 'http://127.0.0.1:1', 'http://127.0.0.1:1/v1beta'],
    ['compatible/m', 'http://127.0.0.1:1', 'http://127.0.0.1:1/v1'],
  ])('turns %s into the address %s', (flag, baseUrl, expected) => {
    const [provider = ''] = flag.split('/');
    const settings = { providers: { [provider]: { baseUrl } } };
    expect(chosen({ flag, settings, env: KEYS }).baseUrl).toBe(expected);
  });

  it.each(['not an address', 'file:///etc/passwd', 'ftp://there'])(
    'refuses the address %s',
    (baseUrl) => {
      const settings = { providers: { openai: { baseUrl } } };
      expect(nameOf(chooseModel({ flag: 'openai/m', settings, env: KEYS }))).toBe('bad-address');
    },
  );

  it('sends no key over an unencrypted network, and no OpenAI key to an endpoint from the settings', () => {
    const at = (baseUrl: string) => ({ providers: { compatible: { baseUrl } } });
    const wish = { flag: 'compatible/m', env: KEYS };
    const elsewhere = 'http://192.168.1.5:8000/v1';
    expect(chosen({ ...wish, settings: at(elsewhere) }).apiKey).toBe('');
    const env = { ...KEYS, OPENAI_BASE_URL: elsewhere };
    expect(nameOf(chooseModel({ flag: 'compatible/m', env }))).toBe('open-address');
    expect(nameOf(chooseModel({ flag: 'openai/m', env }))).toBe('open-address');
    const near = { ...KEYS, OPENAI_BASE_URL: 'http://localhost:8000/v1' };
    expect(chosen({ flag: 'compatible/m', env: near }).apiKey).toBe('o-key');
  });

  it('lists one way for each provider', () => {
    verifies('AGT-01');
    expect(ways().map(({ provider, keys, example }) => ({ provider, keys, example }))).toEqual([
      {
        provider: 'anthropic',
        keys: ['ANTHROPIC_API_KEY'],
        example: 'anthropic/claude-sonnet-5-5',
      },
      { provider: 'openai', keys: ['OPENAI_API_KEY'], example: 'openai/gpt-6.1-sol' },
      {
        provider: 'google',
        keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
        example: 'google/gemini-3.8-flash',
      },
      { provider: 'compatible', keys: [], example: 'compatible/model' },
      { provider: 'ollama', keys: [], example: 'ollama/qwen3' },
      { provider: 'lmstudio', keys: [], example: 'lmstudio/openai/gpt-oss-20b' },
      { provider: 'vllm', keys: [], example: 'vllm/model' },
    ]);
  });

  it('has a name that matches its provider and model, for any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.string()), (flag, env) => {
        const choice = chooseModel({ flag, env });
        if (choice.kind === 'none') return;
        const { name, provider, model } = choice.model;
        expect(name).toBe(`${provider}/${model}`);
      }),
    );
  });
});
