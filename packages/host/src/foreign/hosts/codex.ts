// Codex: TOML, in which secrets are given as names of variables, without other placeholders.
// https://developers.openai.com/codex/mcp

import { isObject } from '@plugboard/base';
import { type Draft, type Rule, type Rules, translateFields } from './draft.ts';
import type { ForeignHost } from './foreign-host.ts';
import { fromVariable, join, projectFile, userFile } from './locations.ts';
import {
  enabled,
  flag,
  fromEnvironment,
  ignored,
  leftOut,
  LOCAL,
  pairs,
  text,
  time,
  toolNames,
} from './rules.ts';
import { isVariableName, NO_VARIABLES } from './variables.ts';

export const codex: ForeignHost = {
  id: 'codex',
  title: 'Codex',
  files: (where) => {
    const folder = fromVariable(where, 'CODEX_HOME') ?? join(where, where.home, '.codex');
    return [
      projectFile(where, '.codex', 'config.toml'),
      userFile(join(where, folder, 'config.toml'), 'toml'),
    ];
  },
  serverMaps: () => [['mcp_servers']],
  translate: ({ value }, surroundings) =>
    translateFields({ value, rules: RULES, dialect: NO_VARIABLES, surroundings }),
};

/** A variable of our own environment that is passed to the server. */
const passedOn: Rule = (value, draft, key) => {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const item of items) {
    const isElsewhere = isObject(item) && item['source'] === 'remote';
    const name = isObject(item) ? item['name'] : item;
    if (!isVariableName(name) || isElsewhere) draft.leaveOut(key, 'unusable');
    else setVariable(draft, { field: 'env', name, variable: name });
  }
};

const headersFromVariables: Rule = (value, draft, key) => {
  if (!isObject(value)) {
    draft.leaveOut(key, 'unusable');
    return;
  }
  for (const [name, variable] of Object.entries(value)) {
    if (!isVariableName(variable)) draft.leaveOut(`${key}.${name}`, 'unusable');
    else setVariable(draft, { field: 'headers', name, variable });
  }
};

const bearerFromVariable: Rule = (value, draft, key) => {
  if (!isVariableName(value)) {
    draft.leaveOut(key, 'unusable');
    return;
  }
  const headers = draft.get('headers');
  draft.set('headers', {
    ...(isObject(headers) ? headers : {}),
    Authorization: `Bearer ${fromEnvironment(value)}`,
  });
};

interface PassedVariable {
  readonly field: 'env' | 'headers';
  readonly name: string;
  readonly variable: string;
}

/** Adds a variable. A literal value of the same name is stronger. */
function setVariable(draft: Draft, { field, name, variable }: PassedVariable): void {
  const before = draft.get(field);
  const others = isObject(before) ? before : {};
  if (name === '__proto__' || Object.hasOwn(others, name)) return;
  draft.set(field, { ...others, [name]: fromEnvironment(variable) });
}

const RULES: Rules = {
  ...LOCAL,
  env_vars: passedOn,
  url: (value, draft, key) => {
    draft.set('type', 'http');
    text('url')(value, draft, key);
  },
  http_headers: pairs('headers'),
  env_http_headers: headersFromVariables,
  bearer_token_env_var: bearerFromVariable,
  enabled,
  required: flag('required'),
  startup_timeout_sec: time('connectTimeout', 1000),
  startup_timeout_ms: time('connectTimeout', 1),
  tool_timeout_sec: time('timeout', 1000),
  enabled_tools: toolNames('include'),
  disabled_tools: toolNames('exclude'),
  tools: leftOut('approval'),
  default_tools_approval_mode: leftOut('approval'),
  supports_parallel_tool_calls: leftOut('no-counterpart'),
  experimental_environment: leftOut('no-counterpart'),
  http_headers_helper: leftOut('no-counterpart'),
  scopes: leftOut('no-counterpart'),
  oauth: leftOut('no-counterpart'),
  oauth_resource: leftOut('no-counterpart'),
  name: ignored,
};
