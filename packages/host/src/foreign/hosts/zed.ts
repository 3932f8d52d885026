// Zed. A server with neither a command nor a URL belongs to an extension, which starts it.
// https://zed.dev/docs/ai/mcp

import { isObject } from '@plugboard/base';
import { type Rule, type Rules, translateFields } from './draft.ts';
import type { ForeignHost } from './foreign-host.ts';
import { applicationFolder, configFolder, join, projectFile, userFile } from './locations.ts';
import { args, enabled, ignored, leftOut, LOCAL, pairs, text, time } from './rules.ts';
import { NO_VARIABLES } from './variables.ts';

export const zed: ForeignHost = {
  id: 'zed',
  title: 'Zed',
  files: (where) => {
    const user =
      where.platform === 'win32'
        ? join(where, applicationFolder(where), 'Zed')
        : join(where, configFolder(where), 'zed');
    return [
      projectFile(where, '.zed', 'settings.json'),
      userFile(join(where, user, 'settings.json')),
    ];
  },
  serverMaps: () => [['context_servers']],
  translate: ({ value }, surroundings) =>
    isExtension(value)
      ? { kind: 'extension' }
      : translateFields({ value, rules: RULES, dialect: NO_VARIABLES, surroundings }),
};

function isExtension(value: unknown): boolean {
  if (!isObject(value) || value['source'] === 'custom') return false;
  const { command, url } = value;
  return (command === undefined || command === null) && (url === undefined || url === null);
}

/** A text, or, in older versions, an object with the command and its arguments. */
const commandOrObject: Rule = (value, draft, key) => {
  if (!isObject(value)) {
    text('command')(value, draft, key);
    return;
  }
  const rules: Rules = { path: text('command'), args, env: pairs('env'), timeout: TIMEOUT };
  for (const [name, item] of Object.entries(value)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) draft.leaveOut(`${key}.${name}`, 'unknown');
    else if (item !== null) rule(item, draft, `${key}.${name}`);
  }
};

const TIMEOUT: Rule = time('timeout', 1000);

const RULES: Rules = {
  ...LOCAL,
  command: commandOrObject,
  url: (value, draft, key) => {
    draft.set('type', 'http');
    text('url')(value, draft, key);
  },
  headers: pairs('headers'),
  enabled,
  timeout: TIMEOUT,
  oauth: leftOut('no-counterpart'),
  remote: leftOut('no-counterpart'),
  settings: leftOut('no-counterpart'),
  source: ignored,
};
