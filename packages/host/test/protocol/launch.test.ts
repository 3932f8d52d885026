import { describe, expect, it } from 'vitest';
import { httpUrl } from '../../src/protocol/index.ts';

describe('the HTTP address of a remote server', () => {
  it.for([
    ['ws://example.com/mcp', 'http://example.com/mcp'],
    ['wss://example.com:8443/mcp?a=b', 'https://example.com:8443/mcp?a=b'],
    ['WSS://example.com/mcp', 'https://example.com/mcp'],
    ['https://example.com/mcp', 'https://example.com/mcp'],
    ['ftp://example.com/mcp', 'ftp://example.com/mcp'],
  ])('of %s is %s', ([url, expected]) => {
    expect(httpUrl(String(url))).toBe(expected);
  });
});
