// Windsurf, and its plugin for other editors.
// https://docs.windsurf.com/windsurf/cascade/mcp

import { translateFields } from './draft.ts';
import { bareVariable, editorVariables, fileContent } from './editor-variables.ts';
import type { ForeignHost } from './foreign-host.ts';
import { join, userFile } from './locations.ts';
import { flag, leftOut, LOCAL, REMOTE, text, toolNames, type } from './rules.ts';

export const windsurf: ForeignHost = {
  id: 'windsurf',
  title: 'Windsurf',
  files: (where) => [
    userFile(join(where, where.home, '.codeium', 'windsurf', 'mcp_config.json')),
    userFile(join(where, where.home, '.codeium', 'mcp_config.json')),
  ],
  serverMaps: () => [['mcpServers']],
  translate: ({ value }, surroundings) =>
    translateFields({
      value,
      rules: RULES,
      dialect: editorVariables(surroundings, (body) =>
        body.startsWith('file:') ? fileContent(body.slice('file:'.length)) : bareVariable(body),
      ),
      surroundings,
    }),
};

const RULES = {
  ...LOCAL,
  ...REMOTE,
  serverUrl: text('url'),
  type: type({ stdio: undefined, http: undefined, 'streamable-http': undefined, sse: 'sse' }),
  disabled: flag('disabled'),
  disabledTools: toolNames('exclude'),
  alwaysAllow: leftOut('approval'),
  autoApprove: leftOut('approval'),
};
