import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import type { Node } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import {
  insertProperty,
  removeProperty,
  replaceValue,
} from '../../../src/config/edit/edit-text.ts';
import { parseFile } from '../../../src/config/files/parse-file.ts';
import { parseDocument, propertiesOf, propertyNamed } from '../../../src/config/text/document.ts';

/** Blanks and comments that may be between any two tokens. */
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

/** A map of servers in any style. */
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

/** Every comment in order, ignoring strings. */
function commentsIn(text: string): string[] {
  return [...text.matchAll(/"(?:\\.|[^"\\])*"|(\/\*[\s\S]*?\*\/|\/\/[^\r\n]*)/g)].flatMap(
    ([, comment]) => comment ?? [],
  );
}

const added = { command: 'new', args: ['"', '//'] };

describe('an edit of any document', () => {
  it('adds a server, and keeps everything else, comments included', () => {
    fc.assert(
      fc.property(document, (text) => {
        const edited = insertProperty(text, mapIn(text), { name: 'NEW', value: added });
        expect(serversIn(edited)).toEqual([...serversIn(text), ['NEW', added]]);
        expect(commentsIn(edited)).toEqual(commentsIn(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('replaces the value of a server, and keeps everything else', () => {
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

  it('removes a property, and keeps all others', () => {
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

  it('yields the same servers after adding and removing', () => {
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

interface Block {
  /** Comments on their own lines, directly above the property. */
  readonly above: number;
  readonly hasGapBefore: boolean;
  /** Comments above the empty line, which belong to no property. */
  readonly apart: number;
  readonly inside: number;
  readonly hasRemark: boolean;
}

const block: fc.Arbitrary<Block> = fc.record({
  above: fc.nat(3),
  hasGapBefore: fc.boolean(),
  apart: fc.nat(2),
  inside: fc.nat(2),
  hasRemark: fc.boolean(),
});

const comments = (count: number, text: string): string[] =>
  Array.from({ length: count }, (_, index) => `${text} ${index}`);

/** One property as a person would write it; every comment names its property. */
function writtenBlock({ above, hasGapBefore, apart, inside, hasRemark }: Block, index: number) {
  const lines = [
    ...(hasGapBefore ? ['', ...comments(apart, `// nobody's, before ${index}`), ''] : []),
    ...comments(above, `// of ${index}, above`),
    `"p${index}": {`,
    ...comments(inside, `  // of ${index}, inside`),
  ];
  return { start: lines, end: '}', remark: hasRemark ? ` // of ${index}, behind` : '' };
}

function writtenMap(blocks: readonly Block[], comma: '' | ',', eol: string): string {
  const lines = blocks.map(writtenBlock).flatMap(({ start, end, remark }, index) => {
    const isLast = index === blocks.length - 1;
    return [...start, `${end}${isLast ? comma : ','}${remark}`];
  });
  return ['{ "mcpServers": { // all', ...lines, "// nobody's, the end", '} }'].join(eol);
}

describe('an edit of a document with comments', () => {
  it('removes a property with its own comments, and no others', () => {
    verifies('CFG-14');
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 2, maxLength: 5 }),
        fc.constantFrom('' as const, ',' as const),
        fc.constantFrom('\n', '\r\n'),
        fc.nat(),
        (blocks, comma, eol, pick) => {
          const text = writtenMap(blocks, comma, eol);
          const index = pick % blocks.length;
          const node = mapIn(text);
          const chosen = propertiesOf(node)[index];
          if (chosen === undefined) throw new TypeError('it was written');
          const edited = removeProperty(text, node, chosen);
          expect(serversIn(edited).map(([key]) => key)).toEqual(
            blocks.map((_, at) => `p${at}`).toSpliced(index, 1),
          );
          expect(commentsIn(edited)).toEqual(
            commentsIn(text).filter((comment) => !comment.startsWith(`// of ${index},`)),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});
