import { describe, expect, it } from 'vitest';
import { parseEmbedderSettings } from '../../src/embed/embedder-settings.ts';

describe('the embedder setting', () => {
  it('defaults to the embedded model', () => {
    expect(parseEmbedderSettings(undefined)).toEqual({ ok: true, value: { kind: 'embedded' } });
  });

  it.each([
    [{ kind: 'embedded' }],
    [{ kind: 'none' }],
    [{ kind: 'ollama', model: 'nomic-embed-text' }],
    [{ kind: 'ollama', model: 'nomic-embed-text', url: 'http://box.example:11434' }],
    [{ kind: 'openai', url: 'https://api.example.com/v1', model: 'text-embedding-3-small' }],
    [
      {
        kind: 'openai',
        url: 'https://api.example.com',
        model: 'm',
        apiKeyVariable: 'EXAMPLE_KEY',
        dimensions: 512,
      },
    ],
    [{ kind: 'openai', url: 'http://127.0.0.1:8080', model: 'm', apiKeyVariable: 'KEY' }],
    [{ kind: 'openai', url: 'http://embeddings.example', model: 'm' }],
  ])('accepts %j', (value) => {
    expect(parseEmbedderSettings(value)).toEqual({ ok: true, value });
  });

  it('may be the kind alone when that is enough', () => {
    expect(parseEmbedderSettings('none')).toEqual({ ok: true, value: { kind: 'none' } });
  });

  const KINDS = '"embedded", "openai", "ollama", "none"';
  const URL_WORDS = 'embedder.url must be an address that begins with https:// or http://';
  it.each([
    [7, [`embedder must be an object with a "kind" (${KINDS})`]],
    [null, [`embedder must be an object with a "kind" (${KINDS})`]],
    [{}, [`embedder.kind must be one of ${KINDS}`]],
    ['openapi', [`embedder.kind must be one of ${KINDS}`]],
    [{ kind: 'toString' }, [`embedder.kind must be one of ${KINDS}`]],
    ['openai', [URL_WORDS, 'embedder.model must be the name of a model']],
    [{ kind: 'none', url: 'x' }, ['embedder.url is unknown; "none" has no other fields']],
    [
      { kind: 'ollama', model: ' ', apiKey: 'x', url: 'ftp://a' },
      [
        'embedder.apiKey is unknown; "ollama" has url, model',
        URL_WORDS,
        'embedder.model must be the name of a model',
      ],
    ],
    [
      { kind: 'openai', url: 'https://user:pass@a.example', model: 'm' },
      ['embedder.url must not hold a password; fix: name a variable in apiKeyVariable'],
    ],
    [
      { kind: 'openai', url: 'https://a.example/v1?key=1', model: 'm' },
      ['embedder.url must not have a part after "?" or "#"'],
    ],
    [
      { kind: 'openai', url: 'https://a.example', model: 'm', apiKeyVariable: 'sk-12345' },
      ['embedder.apiKeyVariable must be the name of a variable, not the key itself'],
    ],
    [
      { kind: 'openai', url: 'http://a.example', model: 'm', apiKeyVariable: 'KEY' },
      [
        'embedder.url must begin with https:// when apiKeyVariable is set, or anyone on the way can read the key',
      ],
    ],
    [
      { kind: 'openai', url: 'http://127.0.0.1.a.example', model: 'm', apiKeyVariable: 'KEY' },
      [
        'embedder.url must begin with https:// when apiKeyVariable is set, or anyone on the way can read the key',
      ],
    ],
    [
      { kind: 'openai', url: 'https://a.example', model: 'm', dimensions: 1.5 },
      ['embedder.dimensions must be a whole number from 1 to 16384'],
    ],
  ])('%j is refused with a message for each mistake', (value, error) => {
    expect(parseEmbedderSettings(value)).toEqual({ ok: false, error });
  });
});
