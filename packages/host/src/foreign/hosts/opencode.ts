// opencode, in the formats of its first and second version: servers directly under `mcp`, or under `mcp.servers`;
// `enabled`, or `disabled`. https://opencode.ai/docs/mcp-servers

import { isObject } from '@plugboard/base';
import { type Rule, type Rules, translateFields } from './draft.ts';
import { fileContent } from './editor-variables.ts';
import type { ForeignHost } from './foreign-host.ts';
import { configFolder, fromVariable, join, projectFile, userFile } from './locations.ts';
import {
  enabled,
  flag,
  leftOut,
  LOCAL,
  pairs,
  REMOTE,
  translateTexts,
  time,
  type,
} from './rules.ts';
import { type Dialect, variable } from './variables.ts';

export const opencode: ForeignHost = {
  id: 'opencode',
  title: 'opencode',
  files: (where) => {
    const named = fromVariable(where, 'OPENCODE_CONFIG');
    const names = ['opencode.jsonc', 'opencode.json'];
    return [
      ...names.map((name) => projectFile(where, name)),
      ...names.map((name) => projectFile(where, '.opencode', name)),
      ...(named === undefined ? [] : [userFile(named)]),
      ...names.map((name) => userFile(join(where, configFolder(where), 'opencode', name))),
    ];
  },
  serverMaps: () => [['mcp', 'servers'], ['mcp']],
  translate: ({ name, value }, surroundings) =>
    isSetting(name, value)
      ? { kind: 'no-server' }
      : translateFields({ value, rules: RULES, dialect: DIALECT, surroundings }),
};

/** A setting of the second version, among the servers of the first. */
function isSetting(name: string, value: unknown): boolean {
  if (name !== 'servers' && name !== 'timeout') return false;
  return !isObject(value) || !Object.hasOwn(value, 'type');
}

const commandLine: Rule = (value, draft) => {
  if (!Array.isArray(value)) {
    draft.set('command', value);
    return;
  }
  const words: readonly unknown[] = value;
  const [command, ...args] = words;
  draft.set('command', typeof command === 'string' ? draft.text(command, 'command') : command);
  if (args.length > 0) draft.set('args', translateTexts(args, draft));
};

const timeouts: Rule = (value, draft, key) => {
  if (!isObject(value)) {
    // The timeout for listing tools, which would be too short for calls.
    time('connectTimeout', 1)(value, draft, key);
    return;
  }
  const { startup, request, execution, ...others } = value;
  const calls = execution ?? request;
  if (startup !== undefined) time('connectTimeout', 1)(startup, draft, `${key}.startup`);
  if (calls !== undefined) time('timeout', 1)(calls, draft, `${key}.execution`);
  for (const other of Object.keys(others)) draft.leaveOut(`${key}.${other}`, 'no-counterpart');
};

const RULES: Rules = {
  ...LOCAL,
  ...REMOTE,
  // A URL is tried as HTTP and then as SSE, as in our entries without a type.
  type: type({ local: undefined, remote: undefined }),
  command: commandLine,
  environment: pairs('env'),
  enabled,
  disabled: flag('disabled'),
  timeout: timeouts,
  oauth: leftOut('no-counterpart'),
  codemode: leftOut('no-counterpart'),
};

/** `{env:NAME}` and `{file:path}`. */
const DIALECT: Dialect = {
  pattern: /\{(env|file):([^{}]*)\}/g,
  meaning: ([, kind, body = '']) => (kind === 'env' ? variable(body) : fileContent(body)),
};
