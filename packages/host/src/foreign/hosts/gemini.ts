// Gemini CLI. `httpUrl` is Streamable HTTP, and `url` alone is HTTP+SSE. Another setting of the same file
// lists the servers that are used.
// https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md

import { isObject } from '@plugboard/base';
import { type Rules, translateFields } from './draft.ts';
import { bareVariable } from './editor-variables.ts';
import type { ForeignHost } from './foreign-host.ts';
import { join, projectFile, userFile } from './locations.ts';
import { flag, ignored, leftOut, LOCAL, pairs, text, time, toolNames, type } from './rules.ts';
import type { Dialect } from './variables.ts';

export const gemini: ForeignHost = {
  id: 'gemini',
  title: 'Gemini CLI',
  files: (where) => [
    projectFile(where, '.gemini', 'settings.json'),
    userFile(join(where, where.home, '.gemini', 'settings.json')),
  ],
  serverMaps: () => [['mcpServers']],
  translate: ({ name, value, setting }, surroundings) => {
    const translation = translateFields({ value, rules: RULES, dialect: DIALECT, surroundings });
    if (translation.kind !== 'entry' || isUsed(name, setting('mcp'))) return translation;
    return { ...translation, entry: { ...translation.entry, disabled: true } };
  },
};

const RULES: Rules = {
  ...LOCAL,
  url: (value, draft, key) => {
    if (draft.get('url') !== undefined) return;
    draft.set('type', draft.get('type') ?? 'sse');
    text('url')(value, draft, key);
  },
  httpUrl: (value, draft, key) => {
    draft.set('type', 'http');
    text('url')(value, draft, key);
  },
  tcp: leftOut('no-counterpart'),
  type: type({ stdio: undefined, http: 'http', sse: 'sse' }),
  headers: pairs('headers'),
  timeout: time('timeout', 1),
  trust: leftOut('approval'),
  includeTools: toolNames('include'),
  excludeTools: toolNames('exclude'),
  disabled: flag('disabled'),
  oauth: leftOut('no-counterpart'),
  authProviderType: leftOut('no-counterpart'),
  targetAudience: leftOut('no-counterpart'),
  targetServiceAccount: leftOut('no-counterpart'),
  description: ignored,
};

/** `$NAME` and `${NAME}`. */
const DIALECT: Dialect = {
  pattern: /\$(?:([A-Za-z_]\w*)|\{([^{}]*)\})/g,
  meaning: ([, bare, body]) => {
    const meaning = bareVariable(bare ?? body ?? '');
    return meaning.kind === 'unknown' ? { kind: 'plain-text' } : meaning;
  },
};

function isUsed(name: string, lists: unknown): boolean {
  const { allowed, excluded } = isObject(lists) ? lists : {};
  const isAllowed = !Array.isArray(allowed) || allowed.includes(name);
  return isAllowed && !(Array.isArray(excluded) && excluded.includes(name));
}
