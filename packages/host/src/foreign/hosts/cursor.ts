// Cursor. https://cursor.com/docs/context/mcp

import { translateFields } from './draft.ts';
import { editorVariables } from './editor-variables.ts';
import type { ForeignHost } from './foreign-host.ts';
import { join, projectFile, userFile } from './locations.ts';
import { flag, leftOut, LOCAL, path, REMOTE, type } from './rules.ts';

export const cursor: ForeignHost = {
  id: 'cursor',
  title: 'Cursor',
  files: (where) => [
    projectFile(where, '.cursor', 'mcp.json'),
    userFile(join(where, where.home, '.cursor', 'mcp.json')),
  ],
  serverMaps: () => [['mcpServers']],
  translate: ({ value }, surroundings) =>
    translateFields({
      value,
      rules: RULES,
      dialect: editorVariables(surroundings),
      surroundings,
    }),
};

const RULES = {
  ...LOCAL,
  ...REMOTE,
  // A URL is tried as HTTP and then as SSE, as in our entries without a type.
  type: type({ stdio: undefined, http: undefined, 'streamable-http': undefined, sse: 'sse' }),
  envFile: path('envFile'),
  auth: leftOut('no-counterpart'),
  disabled: flag('disabled'),
  autoApprove: leftOut('approval'),
  alwaysAllow: leftOut('approval'),
};
