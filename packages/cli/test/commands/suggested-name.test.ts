import { describe, expect, it } from 'vitest';
import { suggestedName } from '../../src/commands/suggested-name.ts';

const NONE: ReadonlySet<string> = new Set();

describe('the derived name of a server', () => {
  it.each([
    ['files', 'npx -y @acme/server-files@1.2'],
    ['files', 'npx -y @acme/server-files'],
    ['filesystem', 'npx -y @modelcontextprotocol/server-filesystem .'],
    ['playwright', 'npx @playwright/mcp@latest'],
    ['context7', 'npx -y @upstash/context7-mcp'],
    ['dbhub', 'npx -p @bytebase/dbhub@1.4.0 dbhub --demo'],
    ['git', 'uvx mcp-server-git --repository .'],
    ['fetch', 'uvx --from mcp-server-fetch==1.0 mcp-server-fetch'],
    ['time', 'uvx mcp_server_time[all]>=2'],
    ['github', 'docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:v1'],
    ['fetch', 'docker run -i --rm mcp/fetch'],
    ['repo', 'uvx --from git+https://github.com/me/repo.git serve'],
    ['notes', './bin/notes-server --all'],
    ['weather', 'node /srv/weather/dist/index.js'],
    ['notes', 'python -m notes_mcp'],
    ['tool', 'C:\\\\tools\\\\tool.exe'],
    ['linear', 'https://mcp.linear.app/sse'],
    ['example', 'https://mcp.example.com/mcp'],
    ['example', 'wss://example.com'],
    ['localhost', 'http://localhost:3000/mcp'],
    ['127-0-0-1', 'http://127.0.0.1:3000/mcp'],
    ['my-codebase', 'npx codebase'],
    ['npx', 'npx'],
    ['server', 'npx -y mcp-server'],
  ])('is %s for %s', (name, line) => {
    expect(suggestedName(line.split(' '), NONE)).toBe(name);
  });

  it('differs from the names of other servers', () => {
    const target = ['npx', '-y', '@acme/server-files'];
    expect(suggestedName(target, new Set(['files']))).toBe('files-2');
    expect(suggestedName(target, new Set(['files', 'files-2']))).toBe('files-3');
    const long = ['x'.repeat(80)];
    const first = suggestedName(long, NONE);
    expect([first.length, suggestedName(long, new Set([first])).length]).toEqual([64, 62]);
  });
});
