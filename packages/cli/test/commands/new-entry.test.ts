import { describe, expect, it } from 'vitest';
import { entryOf, TRANSPORTS } from '../../src/commands/new-entry.ts';
import { sandbox } from '../sandbox.ts';

describe('the entry of a new server', () => {
  it.each([
    ['https://example.com/mcp', 'http'],
    ['https://example.com/sse', 'sse'],
    ['http://127.0.0.1:3000/v1/sse/?key=a', 'sse'],
    ['https://example.com/mcp?from=/sse', 'http'],
    ['https://example.com/sse/mcp', 'http'],
    ['https://example.com/assess', 'http'],
    ['wss://example.com/sse', 'ws'],
  ])('has the transport that its address suggests: %s', (url, type) => {
    expect(entryOf({ target: [url] })).toEqual({ type, url });
  });

  it('has the given transport, whatever its address looks like', () => {
    const url = 'https://example.com/sse';
    expect(entryOf({ target: [url], transport: 'http' })).toEqual({ type: 'http', url });
  });

  it('can have each transport that the help of add names', async () => {
    await using box = await sandbox();
    const { stdout } = await box.run(['add', '--help']);
    const [, named = ''] = /--transport <type>\s+(.*?) \(/.exec(stdout) ?? [];
    expect(named.split(/, | or /)).toEqual(TRANSPORTS);
  });
});
