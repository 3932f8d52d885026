// Cline, in an editor and in a terminal. For old files, it reads a URL without a type as HTTP+SSE.
// https://docs.cline.bot/mcp/configuring-mcp-servers

import { type Rules, translateFields } from './draft.ts';
import { bareVariable, editorVariables } from './editor-variables.ts';
import type { ForeignHost } from './foreign-host.ts';
import { applicationFolder, fromVariable, join, userFile, vscodeFolders } from './locations.ts';
import { flag, ignored, leftOut, LOCAL, pairs, text, time, type } from './rules.ts';

const SETTINGS = ['settings', 'cline_mcp_settings.json'];

export const cline: ForeignHost = {
  id: 'cline',
  title: 'Cline',
  files: (where) => {
    const own = fromVariable(where, 'CLINE_DATA_DIR') ?? join(where, where.home, '.cline', 'data');
    const forks = ['Cursor', 'Windsurf'].map((name) =>
      join(where, applicationFolder(where), name, 'User'),
    );
    const editors = [...vscodeFolders(where), ...forks];
    return [
      ...editors.map((folder) =>
        userFile(join(where, folder, 'globalStorage', 'saoudrizwan.claude-dev', ...SETTINGS)),
      ),
      userFile(join(where, own, ...SETTINGS)),
    ];
  },
  serverMaps: () => [['mcpServers']],
  translate: ({ value }, surroundings) =>
    translateFields({
      value,
      rules: RULES,
      dialect: editorVariables(surroundings, bareVariable),
      surroundings,
    }),
};

const TYPE = type({ stdio: undefined, streamableHttp: 'http', http: 'http', sse: 'sse' });

const RULES: Rules = {
  ...LOCAL,
  type: TYPE,
  transportType: TYPE,
  url: (value, draft, key) => {
    if (value === '') return;
    draft.set('type', draft.get('type') ?? 'sse');
    text('url')(value, draft, key);
  },
  headers: pairs('headers'),
  disabled: flag('disabled'),
  timeout: time('timeout', 1000),
  autoApprove: leftOut('approval'),
  alwaysAllow: leftOut('approval'),
  oauth: leftOut('no-counterpart'),
  remoteConfigured: ignored,
};
