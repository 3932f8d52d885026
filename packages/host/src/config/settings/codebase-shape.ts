// The shape of the setting `codebase`, which configures the built-in server of that name.

import {
  exactFields,
  flag,
  listOf,
  mapOf,
  notBlank,
  oneOf,
  textOr,
  wholeNumber,
} from '../text/index.ts';

const variable = notBlank;
const count = (max: number) => wholeNumber({ min: 1, max, unit: '' });

export const codebaseShape = exactFields({
  disabled: flag,
  embedder: textOr(
    oneOf(['embedded', 'none']),
    exactFields(
      {
        kind: oneOf(['embedded', 'none', 'openai', 'ollama']),
        url: notBlank,
        model: notBlank,
        apiKeyVariable: variable,
        dimensions: count(16_384),
      },
      { required: ['kind'] },
    ),
  ),
  store: textOr(
    oneOf(['embedded']),
    exactFields(
      {
        kind: oneOf(['embedded', 'qdrant']),
        url: textOr(notBlank, listOf(notBlank, { words: 'must be a list of addresses', least: 1 })),
        apiKeyVariable: variable,
        collection: notBlank,
        shards: count(1024),
        replicas: count(64),
      },
      { required: ['kind'] },
    ),
  ),
  roots: listOf(
    textOr(notBlank, exactFields({ name: notBlank, path: notBlank }, { required: ['path'] })),
    { words: 'must be a list of folders or addresses', least: 1 },
  ),
  remotes: listOf(notBlank, { words: 'must be a list of hosts', least: 1 }),
  languageServers: mapOf(
    listOf(notBlank, { words: 'must be a list: a command and its arguments', least: 1 }),
    {
      names: { pattern: /^[a-z]{1,20}$/, words: 'must have names of languages, such as "python"' },
      words: 'must be an object of commands by language',
    },
  ),
});
