// Files in the documented format of each host, and the servers found in them, as whole values.

import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { fixtureFolder, translated } from './foreign-fixture.ts';

describe('the servers of other agents', () => {
  verifies('CFG-13');

  it('are translated from Codex', async () => {
    await using folder = await fixtureFolder('codex');
    expect(await translated(folder)).toEqual([
      {
        path: '@/project/.codex/config.toml',
        owner: 'project',
        servers: [
          {
            name: 'docs-server',
            line: 1,
            entry: { command: 'docs-server', cwd: '@/project/tools' },
            notes: [
              { kind: 'renamed', from: 'docs server' },
              { kind: 'filled-in', field: 'cwd', value: '@/project/tools' },
            ],
          },
        ],
        diagnostics: [],
      },
      {
        path: '@/home/.codex/config.toml',
        owner: 'user',
        servers: [
          {
            name: 'context7',
            line: 3,
            entry: {
              command: 'npx',
              args: ['-y', '@upstash/context7-mcp', '$${literal}'],
              env: {
                CONTEXT7_TOKEN: '${CONTEXT7_TOKEN}',
                REGION: '${REGION}',
                MY_ENV_VAR: 'MY_ENV_VALUE',
              },
              cwd: '/srv/context7',
              timeout: 45000,
              connectTimeout: 12500,
              tools: { include: ['resolve-library-id'], exclude: ['get-library-docs'] },
              required: true,
            },
            notes: [{ kind: 'plain-text', field: 'args[2]' }],
          },
          {
            name: 'figma',
            line: 17,
            entry: {
              type: 'http',
              url: 'https://mcp.figma.com/mcp',
              headers: {
                Authorization: 'Bearer ${FIGMA_OAUTH_TOKEN}',
                'X-Figma-Region': 'us-east-1',
                'X-Figma-Team': '${FIGMA_TEAM}',
              },
              disabled: true,
            },
            notes: [
              { kind: 'left-out', field: 'scopes', why: 'no-counterpart' },
              { kind: 'left-out', field: 'tools', why: 'approval' },
            ],
          },
        ],
        diagnostics: [],
      },
    ]);
  });

  it('are translated from Gemini CLI', async () => {
    await using folder = await fixtureFolder('gemini');
    expect(await translated(folder)).toEqual([
      {
        path: '@/project/.gemini/settings.json',
        owner: 'project',
        servers: [
          {
            name: 'googleCloud',
            line: 3,
            entry: { type: 'http', url: 'https://my-gcp-service.run.app/mcp' },
            notes: [
              { kind: 'left-out', field: 'authProviderType', why: 'no-counterpart' },
              { kind: 'left-out', field: 'oauth', why: 'no-counterpart' },
            ],
          },
        ],
        diagnostics: [],
      },
      {
        path: '@/home/.gemini/settings.json',
        owner: 'user',
        servers: [
          {
            name: 'pythonTools',
            line: 4,
            entry: {
              command: 'python',
              args: ['-m', 'my_mcp_server', '--price', '$5'],
              env: { DATABASE_URL: '${DB_CONNECTION_STRING}', API_KEY: '${EXTERNAL_API_KEY}' },
              cwd: '@/project/mcp-servers/python',
              timeout: 15000,
              tools: { include: ['safe_tool'], exclude: ['dangerous_tool'] },
            },
            notes: [
              { kind: 'filled-in', field: 'cwd', value: '@/project/mcp-servers/python' },
              { kind: 'left-out', field: 'trust', why: 'approval' },
            ],
          },
          {
            name: 'httpServer',
            line: 15,
            entry: {
              type: 'http',
              url: 'http://localhost:3000/mcp',
              headers: { Authorization: 'Bearer ${API_TOKEN}' },
              timeout: 5000,
            },
            notes: [],
          },
          {
            name: 'sseServer',
            line: 20,
            entry: { type: 'sse', url: 'http://localhost:8080/sse' },
            notes: [],
          },
          {
            name: 'experimental',
            line: 21,
            entry: { command: 'experimental', disabled: true },
            notes: [],
          },
        ],
        diagnostics: [],
      },
    ]);
  });

  it('are translated from opencode', async () => {
    await using folder = await fixtureFolder('opencode');
    expect(await translated(folder)).toEqual([
      {
        path: '@/project/opencode.jsonc',
        owner: 'project',
        servers: [
          {
            name: 'mcp_everything',
            line: 4,
            entry: {
              command: 'npx',
              args: ['-y', '@modelcontextprotocol/server-everything'],
              env: { LOG_LEVEL: 'debug', TOKEN: '${EVERYTHING_TOKEN}' },
              disabled: true,
              connectTimeout: 10000,
            },
            notes: [],
          },
          {
            name: 'jira',
            line: 11,
            entry: {
              url: 'https://jira.example.com/mcp',
              headers: { Authorization: 'Bearer ${secret:jira-token}' },
            },
            notes: [{ kind: 'needs-secret', field: 'headers.Authorization', secret: 'jira-token' }],
          },
        ],
        diagnostics: [
          {
            severity: 'warning',
            code: 'command-or-url',
            message: '"wiki" cannot be imported: it has neither a command nor a url.',
            suggestion: 'Nothing needs to be done if it only changes a server from elsewhere.',
            file: '@/project/opencode.jsonc',
            line: 19,
            column: 5,
          },
        ],
      },
      {
        path: '@/home/.config/opencode/opencode.json',
        owner: 'user',
        servers: [
          {
            name: 'everything',
            line: 5,
            entry: {
              command: 'everything-server',
              cwd: '/srv',
              disabled: true,
              timeout: 60000,
              connectTimeout: 5000,
            },
            notes: [{ kind: 'left-out', field: 'timeout.catalog', why: 'no-counterpart' }],
          },
        ],
        diagnostics: [],
      },
    ]);
  });

  it('are translated from Zed', async () => {
    await using folder = await fixtureFolder('zed');
    expect(await translated(folder)).toEqual([
      {
        path: '@/project/.zed/settings.json',
        owner: 'project',
        servers: [
          {
            name: 'team',
            line: 3,
            entry: { command: 'team-server' },
            notes: [{ kind: 'left-out', field: 'remote', why: 'no-counterpart' }],
          },
        ],
        diagnostics: [],
      },
      {
        path: '@/home/.config/zed/settings.json',
        owner: 'user',
        servers: [
          {
            name: 'local-mcp-server',
            line: 5,
            entry: { command: 'some-command', args: ['arg-1', 'arg-2'] },
            notes: [],
          },
          {
            name: 'older',
            line: 12,
            entry: { command: 'older-command', args: ['--stdio'], env: { MODE: 'fast' } },
            notes: [],
          },
          {
            name: 'remote-mcp-server',
            line: 16,
            entry: {
              type: 'http',
              url: 'https://example.com/mcp',
              headers: { Authorization: 'Bearer $${TOKEN}' },
              disabled: true,
              timeout: 30000,
            },
            notes: [{ kind: 'plain-text', field: 'headers.Authorization' }],
          },
        ],
        diagnostics: [
          {
            severity: 'warning',
            code: 'command-or-url',
            message:
              '"mcp-server-postgres" cannot be imported: it is started by an extension of Zed.',
            suggestion: 'Find out what the extension runs, and use plugboard add.',
            file: '@/home/.config/zed/settings.json',
            line: 22,
            column: 5,
          },
        ],
      },
    ]);
  });

  it('are translated from Cline', async () => {
    await using folder = await fixtureFolder('cline');
    expect(await translated(folder)).toEqual([
      {
        path: '@/home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
        owner: 'user',
        servers: [
          {
            name: 'local-server',
            line: 3,
            entry: {
              command: 'node',
              args: ['/path/to/server.js'],
              env: { API_KEY: 'your_api_key' },
              timeout: 60000,
            },
            notes: [
              { kind: 'left-out', field: 'autoApprove', why: 'approval' },
              { kind: 'plain-secret', field: 'env.API_KEY', secret: 'API_KEY' },
            ],
          },
          {
            name: 'remote-server',
            line: 11,
            entry: {
              type: 'sse',
              url: 'https://your-server-url.com/mcp',
              headers: { Authorization: 'Bearer ${REMOTE_TOKEN}' },
              disabled: true,
            },
            notes: [],
          },
        ],
        diagnostics: [],
      },
      {
        path: '@/home/.cline/data/settings/cline_mcp_settings.json',
        owner: 'user',
        servers: [
          {
            name: 'linear',
            line: 3,
            entry: { type: 'http', url: 'https://mcp.linear.app/mcp' },
            notes: [{ kind: 'left-out', field: 'timeout', why: 'unusable' }],
          },
        ],
        diagnostics: [],
      },
    ]);
  });
});
