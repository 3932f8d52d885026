// Claude Desktop. It only starts programs, and has no placeholders.
// https://modelcontextprotocol.io/docs/develop/connect-local-servers

import { translateFields } from './draft.ts';
import type { ForeignHost } from './foreign-host.ts';
import { applicationFolder, join, userFile } from './locations.ts';
import { flag, LOCAL, REMOTE, type } from './rules.ts';
import { NO_VARIABLES } from './variables.ts';

export const claudeDesktop: ForeignHost = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  files: (where) => [
    userFile(join(where, applicationFolder(where), 'Claude', 'claude_desktop_config.json')),
  ],
  serverMaps: () => [['mcpServers']],
  translate: ({ value }, surroundings) =>
    translateFields({ value, rules: RULES, dialect: NO_VARIABLES, surroundings }),
};

const RULES = {
  ...LOCAL,
  ...REMOTE,
  type: type({ stdio: undefined, http: 'http', sse: 'sse' }),
  disabled: flag('disabled'),
};
