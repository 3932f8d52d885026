import { type SearchableTool, ToolIndex } from '@plugboard/host/adapters';
import { openStaticModel } from '@plugboard/static-model';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const model = await openStaticModel();
if (!model.ok) throw new Error(model.error);
const encoder = model.value;

function tool(server: string, name: string, description: string, more = {}): SearchableTool {
  return {
    name: `mcp__${server}__${name}`,
    server,
    tool: name,
    description,
    inputSchema: { type: 'object' },
    ...more,
  };
}

const TOOLS = [
  tool('github', 'create_issue', 'Creates an issue in a repository', {
    inputSchema: { properties: { owner: {}, repo: {}, title: {}, labels: {} } },
  }),
  tool('github', 'list_issues', 'Lists the issues of a repository'),
  tool('github', 'mergePullRequest', 'Merges a pull request'),
  tool('files', 'read_text_file', 'Reads a file as text'),
  tool('files', 'delete_file', 'Removes a file'),
  tool('mail', 'send', 'Sends a message', {
    inputSchema: { properties: { recipients: { items: { properties: { address: {} } } } } },
  }),
  tool('weather', 'forecast', 'The weather of the next days in a city'),
  tool('notes', 'append', '在笔记末尾追加一行文字'),
];

function indexOf(tools: readonly SearchableTool[]): ToolIndex<SearchableTool> {
  const index = new ToolIndex({ encoder });
  index.set(tools);
  return index;
}

const names = (found: readonly SearchableTool[]): readonly string[] =>
  found.map(({ tool: name }) => name);

describe('a search over tools', () => {
  test.each([
    ['new ticket on github', 'create_issue'],
    ['merge PR', 'mergePullRequest'],
    ['pull requests', 'mergePullRequest'],
    ['will it rain in Oslo tomorrow?', 'forecast'],
    ['erase the document "old plans.txt"', 'delete_file'],
    ['recipient address', 'send'],
    ['追加文字', 'append'],
  ])('finds for "%s" the tool %s first', (query, wanted) => {
    expect(names(indexOf(TOOLS).search([query], 3))[0]).toBe(wanted);
  });

  test('explains the rank of each result of a query', () => {
    const index = indexOf(TOOLS);
    const query = 'delete the file';
    const ranked = index.explain(query, 3);
    expect(ranked.map((each) => each.tool)).toEqual(index.search([query], 3));
    const [best] = ranked;
    expect(best?.matched).toContainEqual({ word: 'delet', fields: ['name'] });
    // A word that means nearly the same.
    expect(best?.matched).toContainEqual({ word: 'remov', fields: ['description'] });
    for (const { score, words, meaning = 0 } of ranked) {
      expect(score).toBeCloseTo((words + meaning) / 2, 5);
    }
    expect(index.explain('', 3)).toEqual([]);
  });

  test('alternates between several queries, and returns no tool twice', () => {
    const found = names(
      indexOf(TOOLS).search(['weather forecast', 'delete a file', 'the weather of a city'], 4),
    );
    expect(found.slice(0, 2)).toEqual(['forecast', 'delete_file']);
    expect(found).toHaveLength(4);
    expect(new Set(found).size).toBe(4);
  });

  test('finds nothing for a query without words', () => {
    expect(indexOf(TOOLS).search(['', '…', 'please can you help me'], 5)).toEqual([]);
    expect(indexOf([]).search(['weather'], 5)).toEqual([]);
    expect(indexOf(TOOLS).search([], 5)).toEqual([]);
  });

  test('weighs quoted text less than the rest of the query', () => {
    const index = new ToolIndex<SearchableTool>();
    index.set(TOOLS);
    expect(names(index.search(['send delete file'], 1))).toEqual(['delete_file']);
    expect(names(index.search(['send "delete file"'], 1))).toEqual(['send']);
  });

  test('uses only words without an encoder', () => {
    const index = new ToolIndex<SearchableTool>();
    index.set(TOOLS);
    expect(names(index.search(['create an issue'], 1))).toEqual(['create_issue']);
  });

  test('gives the same answer for the same tools in any order, and after any changes', () => {
    const queries = ['issues of a repository', 'file'];
    const answer = indexOf(TOOLS).search(queries, 5);
    const steps = fc.array(fc.subarray(TOOLS), { maxLength: 4 });
    fc.assert(
      fc.property(steps, fc.shuffledSubarray(TOOLS, { minLength: TOOLS.length }), (before, all) => {
        const index = new ToolIndex<SearchableTool>({ encoder });
        for (const tools of before) index.set(tools);
        index.set(all);
        expect(index.search(queries, 5)).toEqual(answer);
      }),
      { numRuns: 50 },
    );
  });

  test('follows changes of a description, and drops removed tools', () => {
    const index = indexOf(TOOLS);
    const changed = tool('notes', 'append', 'Plays a song of a band');
    index.set([...TOOLS.filter(({ server }) => server !== 'notes'), changed]);
    expect(index.search(['play a song'], 1)).toEqual([changed]);
    index.set(TOOLS.filter(({ server }) => server !== 'weather'));
    expect(names(index.search(['weather forecast'], 3))).not.toContain('forecast');
  });

  test('reads only new and changed tools', () => {
    const read: string[] = [];
    const index = new ToolIndex<SearchableTool>({
      encoder: {
        dimensions: encoder.dimensions,
        embedQuery: (text) => encoder.embedQuery(text),
        embedDocument: (text) => {
          read.push(text);
          return encoder.embedDocument(text);
        },
      },
    });
    index.set(TOOLS);
    expect(read).toHaveLength(TOOLS.length);
    index.set([...TOOLS, tool('clock', 'now', 'The time')]);
    expect(read).toHaveLength(TOOLS.length + 1);
  });

  test('never fails, whatever the definitions and queries', () => {
    let deep: Record<string, unknown> = {};
    for (let depth = 0; depth < 200; depth += 1) deep = { properties: { a: deep }, items: deep };
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`p${at}`, null]));
    const index = indexOf([
      ...TOOLS,
      tool('x', 'deep', '', { inputSchema: deep }),
      tool('x', 'wide', 'wide '.repeat(100_000), { inputSchema: { properties: wide } }),
      tool('x', 'odd', '', { inputSchema: { properties: [1], items: 'no' } }),
      tool('__proto__', 'constructor', 'toString'),
    ]);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: codePoint })), fc.nat(20), (queries, limit) => {
        expect(index.search(queries, limit).length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 100 },
    );
    expect(names(index.search(['and and and. '.repeat(20_000)], 3))).toHaveLength(0);
    expect(names(index.search(['constructor toString'], 1))).toEqual(['constructor']);
  });
});
