// Claude Code. Servers of the user, and of the user in one project, are in one file. Its files in projects
// and its settings files are not imported, since Plugboard reads them itself.
// https://code.claude.com/docs/en/mcp

import { isObject } from '@plugboard/base';
import { type Rules, translateFields } from './draft.ts';
import { bareVariable } from './editor-variables.ts';
import type { ForeignHost } from './foreign-host.ts';
import { fromVariable, join, userFile } from './locations.ts';
import { asWritten, flag, leftOut, LOCAL, REMOTE, time, type } from './rules.ts';
import type { Dialect } from './variables.ts';

export const claudeCode: ForeignHost = {
  id: 'claude-code',
  title: 'Claude Code',
  files: (where) => {
    const folder = fromVariable(where, 'CLAUDE_CONFIG_DIR') ?? where.home;
    return [userFile(join(where, folder, '.claude.json'))];
  },
  serverMaps: ({ project }) => [['projects', project, 'mcpServers'], ['mcpServers']],
  translate: ({ value }, surroundings) =>
    translateFields({ value, rules: RULES, dialect: DIALECT, surroundings }),
};

const RULES: Rules = {
  ...LOCAL,
  ...REMOTE,
  type: type({
    stdio: undefined,
    http: 'http',
    'streamable-http': 'http',
    sse: 'sse',
    ws: 'ws',
  }),
  headersHelper: asWritten('headersHelper'),
  oauth: (value, draft, key) => {
    if (isObject(value)) draft.set('oauth', value);
    else draft.leaveOut(key, 'unusable');
  },
  timeout: (value, draft, key) => {
    // Claude Code ignores a value of less than a second.
    if (typeof value === 'number' && value < 1000) draft.leaveOut(key, 'unusable');
    else time('timeout', 1)(value, draft, key);
  },
  disabled: flag('disabled'),
  alwaysLoad: flag('alwaysLoad'),
  autoApprove: leftOut('approval'),
};

/** The same placeholders as ours. Claude Code leaves unknown ones as they are. */
const DIALECT: Dialect = {
  pattern: /\$\{([^{}]*)\}/g,
  meaning: ([, body = '']) => {
    const meaning = bareVariable(body);
    return meaning.kind === 'unknown' ? { kind: 'plain-text' } : meaning;
  },
};
