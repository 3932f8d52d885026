import type { JsonObject } from '@plugboard/base';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parameterHeaders,
  withoutBadHeaders,
} from '../../src/protocol/modern/parameter-headers.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    priority: { type: 'integer', 'x-mcp-header': 'Priority' },
    verbose: { type: 'boolean', 'x-mcp-header': 'Verbose' },
    deep: {
      type: 'object',
      properties: { constructor: { type: 'string', 'x-mcp-header': 'Method' } },
    },
    query: { type: 'string' },
  },
};

describe('the parameter headers of a call', () => {
  it('contain the declared arguments, and no others', () => {
    const given = {
      region: 'us west',
      priority: -42,
      verbose: false,
      deep: { constructor: 'world 世' },
      query: 'secret',
    };
    expect(parameterHeaders(schema, given)).toEqual({
      'Mcp-Param-Region': 'us west',
      'Mcp-Param-Priority': '-42',
      'Mcp-Param-Verbose': 'false',
      'Mcp-Param-Method': '=?base64?d29ybGQg5LiW?=',
    });
  });

  it('leave out arguments that are null, missing, or of another type', () => {
    const given = { region: null, priority: 2 ** 60, verbose: 'yes', deep: {} };
    expect(parameterHeaders(schema, given)).toEqual({});
    expect(parameterHeaders(schema, { deep: 'shallow' })).toEqual({});
  });

  it('are none for a tool that declares none, is unknown, or declares incorrectly', () => {
    expect(parameterHeaders({ type: 'object' }, { region: 'a' })).toEqual({});
    expect(parameterHeaders(undefined, { region: 'a' })).toEqual({});
    const wrong = { properties: { region: { type: 'number', 'x-mcp-header': 'Region' } } };
    expect(parameterHeaders(wrong, { region: 5 })).toEqual({});
  });

  it('can be sent, whatever the arguments are', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('region', 'priority', 'deep'), fc.jsonValue()),
        (given) => {
          const headers = parameterHeaders(schema, given as JsonObject);
          expect([...new Headers(headers)].length).toBe(Object.keys(headers).length);
          for (const value of Object.values(headers)) expect(value).toMatch(/^[ -~]+$/);
        },
      ),
    );
  });
});

describe('a page of tools with declarations', () => {
  it('keeps the tools with valid declarations, and reports why the others are left out', () => {
    const good = { name: 'good', inputSchema: schema };
    const bad = { name: 'bad', inputSchema: { 'x-mcp-header': 'Root' } };
    const before = { name: 'older', reason: 'has no inputSchema' };
    const page = {
      items: [bad, good],
      rejected: [before],
      nextCursor: 'next',
      freshness: undefined,
    };
    expect(withoutBadHeaders(page)).toEqual({
      items: [good],
      rejected: [
        before,
        {
          name: 'bad',
          reason: 'declares a header for something that is not an argument of a fixed place',
        },
      ],
      nextCursor: 'next',
      freshness: undefined,
    });
  });
});
