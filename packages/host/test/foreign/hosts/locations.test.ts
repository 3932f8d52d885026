import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { FOREIGN_HOSTS } from '../../../src/foreign/hosts/all-hosts.ts';
import type { ImportContext } from '../../../src/foreign/hosts/foreign-host.ts';

/** `host: path`, with `toml` if it is, and with `~` and `.` for the home and the project. */
function locations(surroundings: ImportContext): readonly string[] {
  const { home, project } = surroundings;
  return FOREIGN_HOSTS.flatMap(({ id, files }) =>
    files(surroundings).map(({ path, syntax, owner }) => {
      const short = path.replace(project, '.').replace(home, '~');
      const isToml = syntax === 'toml';
      if (isToml !== path.endsWith('.toml')) throw new Error(`${path} is not ${syntax}`);
      if ((owner === 'project') !== short.startsWith('.')) throw new Error(`${path}: ${owner}`);
      return `${id}: ${short}`;
    }),
  );
}

const CLINE = 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';

const PROJECT_FILES = [
  'cursor: ./.cursor/mcp.json',
  'vscode: ./.vscode/mcp.json',
  'codex: ./.codex/config.toml',
  'gemini: ./.gemini/settings.json',
  'opencode: ./opencode.jsonc',
  'opencode: ./opencode.json',
  'opencode: ./.opencode/opencode.jsonc',
  'opencode: ./.opencode/opencode.json',
  'zed: ./.zed/settings.json',
];

function fromHome(application: string, zed: string): readonly string[] {
  return [
    'claude-code: ~/.claude.json',
    `claude-desktop: ${application}/Claude/claude_desktop_config.json`,
    'cursor: ~/.cursor/mcp.json',
    `vscode: ${application}/Code/User/mcp.json`,
    `vscode: ${application}/Code - Insiders/User/mcp.json`,
    `vscode: ${application}/VSCodium/User/mcp.json`,
    'windsurf: ~/.codeium/windsurf/mcp_config.json',
    'windsurf: ~/.codeium/mcp_config.json',
    'codex: ~/.codex/config.toml',
    'gemini: ~/.gemini/settings.json',
    'opencode: ~/.config/opencode/opencode.jsonc',
    'opencode: ~/.config/opencode/opencode.json',
    `zed: ${zed}/settings.json`,
    `cline: ${application}/Code/User/${CLINE}`,
    `cline: ${application}/Code - Insiders/User/${CLINE}`,
    `cline: ${application}/VSCodium/User/${CLINE}`,
    `cline: ${application}/Cursor/User/${CLINE}`,
    `cline: ${application}/Windsurf/User/${CLINE}`,
    'cline: ~/.cline/data/settings/cline_mcp_settings.json',
  ];
}

describe('the files of other hosts', () => {
  verifies('CFG-13');

  it.each([
    ['linux', fromHome('~/.config', '~/.config/zed')],
    ['darwin', fromHome('~/Library/Application Support', '~/.config/zed')],
  ] as const)('are searched on %s', (platform, user) => {
    const found = locations({ platform, env: {}, home: '/home/me', project: '/work/shop' });
    expect(found.toSorted()).toEqual([...PROJECT_FILES, ...user].toSorted());
  });

  it('are searched on Windows, in its own spelling', () => {
    const home = 'C:\\Users\\me';
    const found = locations({ platform: 'win32', env: {}, home, project: 'D:\\shop' });
    const user = fromHome('~/AppData/Roaming', '~/AppData/Roaming/Zed');
    const expected = [...PROJECT_FILES, ...user].map((line) => line.replaceAll('/', '\\'));
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('are searched where the variables of the hosts point', () => {
    const env = {
      CLAUDE_CONFIG_DIR: '/x/claude',
      CODEX_HOME: '/x/codex',
      OPENCODE_CONFIG: '/x/opencode.json',
      XDG_CONFIG_HOME: '/x/config',
      CLINE_DATA_DIR: '/x/cline',
    };
    const found = locations({ platform: 'linux', env, home: '/home/me', project: '/work/shop' });
    expect(found.filter((line) => line.includes('/x/'))).toEqual([
      'claude-code: /x/claude/.claude.json',
      'claude-desktop: /x/config/Claude/claude_desktop_config.json',
      'vscode: /x/config/Code/User/mcp.json',
      'vscode: /x/config/Code - Insiders/User/mcp.json',
      'vscode: /x/config/VSCodium/User/mcp.json',
      'codex: /x/codex/config.toml',
      'opencode: /x/opencode.json',
      'opencode: /x/config/opencode/opencode.jsonc',
      'opencode: /x/config/opencode/opencode.json',
      'zed: /x/config/zed/settings.json',
      `cline: /x/config/Code/User/${CLINE}`,
      `cline: /x/config/Code - Insiders/User/${CLINE}`,
      `cline: /x/config/VSCodium/User/${CLINE}`,
      `cline: /x/config/Cursor/User/${CLINE}`,
      `cline: /x/config/Windsurf/User/${CLINE}`,
      'cline: /x/cline/settings/cline_mcp_settings.json',
    ]);
  });

  it('are not searched if a variable contains no absolute path', () => {
    const env = { CODEX_HOME: 'codex', XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '.' };
    const where = { platform: 'linux', home: '/home/me', project: '/work/shop' } as const;
    expect(locations({ ...where, env })).toEqual(locations({ ...where, env: {} }));
  });
});
