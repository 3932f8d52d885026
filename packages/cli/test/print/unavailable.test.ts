import { describe, expect, it } from 'vitest';
import { unavailableError } from '../../src/print/unavailable.ts';

const subject = {
  server: 'db',
  where: undefined,
  from: { cwd: '/work', home: '/home/ada' },
};

describe('the message for a request that a server refused', () => {
  it('contains the text of the server, without the prefixes of SDKs', () => {
    const message = 'MCP error -32603: MCP error -32603: syntax error at "selec"';
    expect(unavailableError(subject, { kind: 'rpc', code: -32_603, message })).toEqual({
      kind: 'rpc',
      message: 'server "db" refused with error -32603: syntax error at "selec"',
      where: undefined,
      fix: 'see what it logged: plugboard logs db; if it is about what you asked, ask otherwise',
      rpc: { code: -32_603, message },
    });
  });

  it('points to the schema if the arguments are wrong', () => {
    const refusal = { kind: 'rpc', code: -32_602, message: 'no such table' } as const;
    expect(unavailableError(subject, refusal).fix).toBe(
      'see what its tools take: plugboard tools db --schema',
    );
  });
});

describe('the message for a missing program', () => {
  it.each([
    ['notes', ['looked for in: /usr/bin:/bin']],
    ['/opt/notes', undefined],
  ])('names the searched folders, if there are any: %s', (command, details) => {
    const missing = { kind: 'command-not-found', command, searched: '/usr/bin:/bin' } as const;
    expect(unavailableError(subject, missing).details).toEqual(details);
  });
});

describe('the message for a server that takes too long', () => {
  it.each([
    [{}, 'did not answer within', '"connectTimeout"'],
    [{ during: 'listing' }, 'did not list what it has within', '"listTimeout"'],
  ] as const)('names the field that allows more time: %j', (during, words, field) => {
    const told = unavailableError(subject, { kind: 'timeout', ms: 15_000, ...during });
    expect(told.message).toContain(words);
    expect(told.fix).toContain(field);
  });
});

describe('the advice about an address at which no MCP server answers', () => {
  it.each([
    ['https://example.com/', 'this is not an MCP endpoint; try adding /mcp'],
    ['https://example.com/docs', 'this is not an MCP endpoint; try adding /mcp'],
    ['https://example.com/mcp', 'open that address in a browser'],
    ['https://example.com/mcp/', 'open that address in a browser'],
    ['https://example.com/sse', 'open that address in a browser'],
  ])('proposes to add /mcp to %s only if it is missing', (url, advice) => {
    const { fix } = unavailableError(subject, { kind: 'not-mcp', url, contentType: 'text/html' });
    expect(fix).toContain(advice);
  });
});
