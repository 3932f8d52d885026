// Files in the documented format of each host, and the servers found in them, as whole values.

import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { fixtureFolder, translated } from './foreign-fixture.ts';

describe('the servers of other editors', () => {
  verifies('CFG-13');

  it('are translated from Claude Code', async () => {
    await using folder = await fixtureFolder('claude-code');
    expect(await translated(folder)).toEqual([
      {
        path: '@/home/.claude.json',
        owner: 'user',
        servers: [
          {
            name: 'database',
            line: 30,
            entry: { command: '${HOME}/bin/db-server', args: ['--format', '$${not a variable}'] },
            notes: [{ kind: 'plain-text', field: 'args[1]' }],
          },
          {
            name: 'github',
            line: 5,
            entry: {
              type: 'http',
              url: 'https://api.githubcopilot.com/mcp/',
              headers: { Authorization: 'Bearer ${GITHUB_TOKEN}' },
            },
            notes: [],
          },
          {
            name: 'airtable',
            line: 10,
            entry: {
              command: 'npx',
              args: ['-y', 'airtable-mcp-server'],
              env: { AIRTABLE_API_KEY: '${AIRTABLE_API_KEY:-none}' },
            },
            notes: [],
          },
          {
            name: 'asana',
            line: 16,
            entry: { type: 'sse', url: 'https://mcp.asana.com/sse' },
            notes: [],
          },
          {
            name: 'internal',
            line: 17,
            entry: {
              type: 'http',
              url: 'https://mcp.internal.example.com',
              headersHelper: '/opt/bin/get-mcp-auth-headers.sh ${CLUSTER}',
              oauth: { clientId: 'your-client-id', callbackPort: 8080 },
              timeout: 600000,
              alwaysLoad: true,
            },
            notes: [],
          },
        ],
        diagnostics: [],
      },
    ]);
  });

  it('are translated from Claude Desktop', async () => {
    await using folder = await fixtureFolder('claude-desktop');
    expect(await translated(folder)).toEqual([
      {
        path: '@/home/.config/Claude/claude_desktop_config.json',
        owner: 'user',
        servers: [
          {
            name: 'filesystem',
            line: 4,
            entry: {
              command: 'npx',
              args: ['-y', '@modelcontextprotocol/server-filesystem', '/Users/me/Desktop'],
            },
            notes: [],
          },
          {
            name: 'brave-search',
            line: 8,
            entry: {
              command: 'docker',
              args: [
                'run',
                '-i',
                '--rm',
                '-e',
                'BRAVE_API_KEY',
                '-v',
                '$${PWD}:/work',
                'mcp/brave-search',
              ],
              env: { BRAVE_API_KEY: 'BSAxXxXxXxXxXxXx' },
            },
            notes: [
              { kind: 'renamed', from: 'brave search' },
              { kind: 'plain-text', field: 'args[6]' },
              { kind: 'plain-secret', field: 'env.BRAVE_API_KEY', secret: 'BRAVE_API_KEY' },
            ],
          },
        ],
        diagnostics: [],
      },
    ]);
  });

  it('are translated from Cursor', async () => {
    await using folder = await fixtureFolder('cursor');
    expect(await translated(folder)).toEqual([
      {
        path: '@/project/.cursor/mcp.json',
        owner: 'project',
        servers: [
          {
            name: 'local-server',
            line: 3,
            entry: {
              command: 'python',
              args: ['@/project/tools/mcp_server.py', '--cache', '${HOME}/.cache'],
              env: { API_KEY: '${API_KEY}', PORT: '3000' },
              envFile: '@/project/.env',
            },
            notes: [
              { kind: 'filled-in', field: 'args[0]', value: '@/project' },
              { kind: 'filled-in', field: 'envFile', value: '@/project/.env' },
            ],
          },
        ],
        diagnostics: [],
      },
      {
        path: '@/home/.cursor/mcp.json',
        owner: 'user',
        servers: [
          {
            name: 'api',
            line: 3,
            entry: {
              url: 'https://api.example.com/mcp',
              headers: { Authorization: 'Bearer ${MY_SERVICE_TOKEN}' },
            },
            notes: [],
          },
          {
            name: 'legacy',
            line: 7,
            entry: { type: 'sse', url: 'http://localhost:3000/sse' },
            notes: [],
          },
          {
            name: 'oauth-server',
            line: 8,
            entry: { url: 'https://api.example.com/oauth/mcp' },
            notes: [{ kind: 'left-out', field: 'auth', why: 'no-counterpart' }],
          },
        ],
        diagnostics: [],
      },
    ]);
  });

  it('are translated from VS Code', async () => {
    await using folder = await fixtureFolder('vscode');
    expect(await translated(folder)).toEqual([
      {
        path: '@/project/.vscode/mcp.json',
        owner: 'project',
        servers: [
          {
            name: 'perplexity',
            line: 9,
            entry: {
              command: 'npx',
              args: ['-y', 'server-perplexity-ask'],
              env: { PERPLEXITY_API_KEY: '${secret:perplexity-key}' },
            },
            notes: [
              { kind: 'needs-secret', field: 'env.PERPLEXITY_API_KEY', secret: 'perplexity-key' },
              { kind: 'left-out', field: 'env.UNSET', why: 'unusable' },
            ],
          },
          {
            name: 'azure',
            line: 15,
            entry: {
              command: 'npx',
              args: [
                '-y',
                '@azure-devops/mcp',
                '${AZURE_ORG:-contoso}',
                '${REGION}',
                '${config:azure.team}',
              ],
              cwd: '@/project',
              envFile: '@/project/.env',
            },
            notes: [
              { kind: 'needs-variable', field: 'args[2]', variable: 'AZURE_ORG' },
              { kind: 'needs-variable', field: 'args[3]', variable: 'REGION' },
              { kind: 'unknown-placeholder', field: 'args[4]' },
              { kind: 'filled-in', field: 'cwd', value: '@/project' },
              { kind: 'filled-in', field: 'envFile', value: '@/project' },
              { kind: 'left-out', field: 'sandboxEnabled', why: 'no-counterpart' },
              { kind: 'left-out', field: 'sandbox', why: 'no-counterpart' },
              { kind: 'left-out', field: 'dev', why: 'no-counterpart' },
            ],
          },
        ],
        diagnostics: [],
      },
      {
        path: '@/home/.config/Code/User/mcp.json',
        owner: 'user',
        servers: [
          {
            name: 'context7',
            line: 3,
            entry: {
              url: 'https://mcp.context7.com/mcp',
              headers: { CONTEXT7_API_KEY: '${secret:unheard-of}' },
            },
            notes: [
              { kind: 'needs-secret', field: 'headers.CONTEXT7_API_KEY', secret: 'unheard-of' },
            ],
          },
        ],
        diagnostics: [
          {
            severity: 'warning',
            code: 'bad-value',
            message: '"socket" cannot be imported. "url" must start with http:// or https://.',
            suggestion: 'Write it like https://example.com/mcp.',
            file: '@/home/.config/Code/User/mcp.json',
            line: 10,
            column: 5,
          },
        ],
      },
    ]);
  });

  it('are translated from Windsurf', async () => {
    await using folder = await fixtureFolder('windsurf');
    expect(await translated(folder)).toEqual([
      {
        path: '@/home/.codeium/windsurf/mcp_config.json',
        owner: 'user',
        servers: [
          {
            name: 'github',
            line: 3,
            entry: {
              command: 'npx',
              args: ['-y', '@modelcontextprotocol/server-github'],
              env: { GITHUB_PERSONAL_ACCESS_TOKEN: '${secret:github_token}' },
              disabled: true,
              tools: { exclude: ['delete_repository'] },
            },
            notes: [
              {
                kind: 'needs-secret',
                field: 'env.GITHUB_PERSONAL_ACCESS_TOKEN',
                secret: 'github_token',
              },
            ],
          },
          {
            name: 'remote',
            line: 10,
            entry: {
              url: 'https://mcp.example.com/${REGION}/mcp',
              headers: { API_KEY: 'Bearer ${AUTH_TOKEN}' },
            },
            notes: [{ kind: 'left-out', field: 'alwaysAllow', why: 'approval' }],
          },
        ],
        diagnostics: [],
      },
    ]);
  });
});
