import * as fc from 'fast-check';
import type { Node } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parseDocument, propertiesOf, propertyNamed } from '../../src/config/document.ts';
import { insertProperty, removeProperty, replaceValue } from '../../src/config/edit-text.ts';
import { parseFile } from '../../src/config/parse-file.ts';

/** Blanks and comments as they may stand between any two tokens. */
const gap = fc
  .array(
    fc.constantFrom(
      ' ',
      '\n',
      '\r\n',
      '\t',
      '/* c */',
      '/* "x": 1, } \n */',
      '// "y": { ,\n',
      '  ',
    ),
    {
      maxLength: 3,
    },
  )
  .map((pieces) => pieces.join(''));

const name = fc.stringMatching(/^[a-z_]{1,3}$/);
const value = fc.constantFrom(
  '{}',
  '{"command":"x"}',
  '{\n  "args": ["a", "b",] // why\n}',
  '[1,]',
  '"//"',
  'null',
);

const property = fc
  .tuple(gap, name, gap, gap, value, gap)
  .map(([a, key, b, c, text, d]) => `${a}${JSON.stringify(key)}${b}:${c}${text}${d}`);

/** A map of servers as anyone might have written it. */
const map = fc
  .tuple(gap, fc.array(property, { maxLength: 4 }), fc.boolean(), gap)
  .map(([start, properties, hasTrailingComma, end]) => {
    const comma = hasTrailingComma && properties.length > 0 ? ',' : '';
    return `{${start}${properties.join(',')}${comma}${end}}`;
  });

const document = fc
  .tuple(gap, map, gap)
  .map(([before, servers, after]) => `${before}{${after}"mcpServers":${servers}${after}}${before}`);

function serversIn(text: string): [string, unknown][] {
  const parsed = parseFile({ path: 'f', format: 'plugboard', text });
  expect(parsed.state).toBe('read');
  return parsed.servers.map((server) => [server.name, server.value]);
}

function mapIn(text: string): Node {
  const parsed = parseDocument(text);
  const root = parsed.kind === 'tree' ? parsed.root : undefined;
  const node = propertyNamed(root, 'mcpServers')?.value;
  if (node === undefined) throw new TypeError(`no servers in ${text}`);
  return node;
}

/** Every comment in order, strings left out. */
function commentsIn(text: string): string[] {
  return [...text.matchAll(/"(?:\\.|[^"\\])*"|(\/\*[\s\S]*?\*\/|\/\/[^\r\n]*)/g)].flatMap(
    ([, comment]) => comment ?? [],
  );
}

const added = { command: 'new', args: ['"', '//'] };

describe('on any document', () => {
  it('an added server is there, and everything else as before, comments included', () => {
    fc.assert(
      fc.property(document, (text) => {
        const edited = insertProperty(text, mapIn(text), { name: 'NEW', value: added });
        expect(serversIn(edited)).toEqual([...serversIn(text), ['NEW', added]]);
        expect(commentsIn(edited)).toEqual(commentsIn(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('a replaced server has its new value, and everything else is as before', () => {
    fc.assert(
      fc.property(document, fc.nat(), (text, pick) => {
        const names = serversIn(text).map(([key]) => key);
        fc.pre(names.length > 0);
        const chosen = names[pick % names.length] ?? '';
        const node = mapIn(text);
        const old = propertyNamed(node, chosen);
        if (old === undefined) throw new TypeError('it was listed');
        const edited = replaceValue(text, node, { property: old, value: added });
        expect(serversIn(edited)).toEqual(
          serversIn(text).map(([key, before]) => [key, key === chosen ? added : before]),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('a removed property is gone, and all others are as before', () => {
    fc.assert(
      fc.property(document, fc.nat(), (text, pick) => {
        const node = mapIn(text);
        const before = propertiesOf(node).map(({ name: key }) => key);
        fc.pre(before.length > 0);
        const index = pick % before.length;
        const chosen = propertiesOf(node)[index];
        if (chosen === undefined) throw new TypeError('it was counted');
        const edited = removeProperty(text, node, chosen);
        serversIn(edited);
        expect(propertiesOf(mapIn(edited)).map(({ name: key }) => key)).toEqual(
          before.toSpliced(index, 1),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('adding and removing again leaves the same servers', () => {
    fc.assert(
      fc.property(document, (text) => {
        const edited = insertProperty(text, mapIn(text), { name: 'NEW', value: added });
        const node = mapIn(edited);
        const last = propertiesOf(node).at(-1);
        if (last === undefined) throw new TypeError('it was added');
        const restored = removeProperty(edited, node, last);
        expect(serversIn(restored)).toEqual(serversIn(text));
        expect(commentsIn(restored)).toEqual(commentsIn(text));
      }),
      { numRuns: 1000 },
    );
  });
});
