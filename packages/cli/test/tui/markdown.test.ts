import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../src/print/width.ts';
import { blocksOf, splitStable } from '../../src/tui/view/markdown-blocks.ts';
import { renderMarkdown } from '../../src/tui/view/render-markdown.ts';
import { DEFAULT_THEME, PLAIN_THEME, type Theme } from '../../src/tui/view/theme.ts';
import { forbiddenIn, nastyText, withoutStyles } from './nasty-text.ts';

const LINKING: Theme = { ...DEFAULT_THEME, hasLinks: true };

function plain(text: string, width = 40): string {
  return renderMarkdown(text, { width, theme: PLAIN_THEME });
}

function streaming(text: string): string {
  return renderMarkdown(text, { width: 40, theme: PLAIN_THEME, isStreaming: true });
}

describe('drawing Markdown', () => {
  it('shows emphasis, code and headings in styles, without their marks', () => {
    expect(renderMarkdown('## A **b** `c` ~~d~~', { width: 40, theme: DEFAULT_THEME })).toBe(
      '\u001B[1mA \u001B[0m\u001B[1mb\u001B[0m\u001B[1m \u001B[0m\u001B[1;38;5;97mc\u001B[0m\u001B[1m \u001B[0m\u001B[1;9md\u001B[0m',
    );
  });

  it('nests lists, counts on from the first number, and marks tasks', () => {
    expect(plain('3. a\n4. b\n   - c\n     - d\n\n- [x] e\n- [ ] f')).toBe(
      ['3. a', '4. b', '   ◦ c', '     ▪ d', '', '☑ e', '☐ f'].join('\n'),
    );
  });

  it('keeps code as it is written, and highlights its syntax', () => {
    expect(plain('```ts\n  const a = "b";  // **c**\n```')).toBe('    const a = "b";  // **c**');
    expect(renderMarkdown('```ts\nconst a = 1;\n```', { width: 40, theme: DEFAULT_THEME })).toBe(
      '  \u001B[38;5;97mconst\u001B[0m a = \u001B[38;5;130m1\u001B[0m;',
    );
  });

  it('wraps the cells of a table, and lists them if columns would be too narrow', () => {
    const table = '| Name | Words |\n|:--|--:|\n| a | one two three four |\n| b | 5 |';
    expect(plain(table, 20)).toBe(
      [
        'Name │         Words',
        '─────┼──────────────',
        'a    │ one two three',
        '     │          four',
        '     │',
        'b    │             5',
      ].join('\n'),
    );
    expect(plain(table, 10)).toBe(
      ['Name: a', 'Words: one', 'two three', 'four', '', 'Name: b', 'Words: 5'].join('\n'),
    );
  });

  it('breaks lines by columns, not by characters', () => {
    expect(plain('日本語のテキストです', 10)).toBe('日本語のテ\nキストです');
    expect(plain('aa 👍👍👍 bb', 8)).toBe('aa\n👍👍👍\nbb');
  });

  it('shows the target of a link if its text does not', () => {
    expect(plain('[https://bank.example](https://evil.example/x)', 80)).toBe(
      'https://bank.example (https://evil.example/x)',
    );
    expect(plain('[bank.example](https://bank.example/) <https://a.example/>', 80)).toBe(
      'bank.example https://a.example/',
    );
  });

  it('makes terminal links only of web pages, and only if the terminal supports them', () => {
    const linked = (text: string): string => renderMarkdown(text, { width: 80, theme: LINKING });
    expect(linked('[a](https://a.example/b)')).toContain('\u001B]8;;https://a.example/b\u001B\\');
    expect(linked('[a](file:///etc/passwd) [b](javascript:x)')).not.toContain('\u001B]8');
    expect(
      renderMarkdown('[a](https://a.example/b)', { width: 80, theme: DEFAULT_THEME }),
    ).not.toContain('\u001B]8');
  });
});

describe('drawing incomplete Markdown', () => {
  it.each([
    ['Hi **bo', 'Hi bo'],
    ['Hi **bold*', 'Hi bold'],
    ['Hi *it', 'Hi it'],
    ['Hi ~~gone', 'Hi gone'],
    ['run `npm te', 'run npm te'],
    ['see [the do', 'see the do'],
    ['see [the docs](https://exam', 'see the docs'],
    ['Text\n-', 'Text'],
    ['Text\n--', 'Text'],
    ['- one\n- ', '• one'],
    ['``', ''],
    ['```ts\nconst a', '  const a'],
    ['```ts\nconst a\n``', '  const a'],
    ['| a | b', 'a │ b\n──┼──'],
    ['| a | b |\n|-', 'a │ b\n──┼──'],
    ['| a | b |\n|---|---|\n| c', 'a │ b\n──┼──\nc │'],
    ['2 * 3 and snake_case', '2 * 3 and snake_case'],
  ])('shows %j as %j', (text, drawn) => {
    expect(streaming(text)).toBe(drawn);
  });
});

describe('the blocks of a Markdown text', () => {
  it('are finished once another begins, but lists and fences only when they end', () => {
    expect(splitStable('One.\n\nTwo')).toEqual({ stable: 'One.\n\n', rest: 'Two' });
    expect(splitStable('- a\n\n- b\n\n  c')).toEqual({ stable: '', rest: '- a\n\n- b\n\n  c' });
    expect(splitStable('- a\n\nText')).toEqual({ stable: '- a\n\n', rest: 'Text' });
    expect(splitStable('```\na\n\nb')).toEqual({ stable: '', rest: '```\na\n\nb' });
    expect(splitStable('```\na\n\nb\n```\n\nc')).toEqual({
      stable: '```\na\n\nb\n```\n\n',
      rest: 'c',
    });
  });

  it('add up to the text, and stay the same while it grows', () => {
    fc.assert(
      fc.property(nastyText, nastyText, (text, more) => {
        const { stable, rest } = splitStable(text);
        expect(stable + rest).toBe(text);
        expect(splitStable(text + more).stable.startsWith(stable)).toBe(true);
        expect(blocksOf(text).join('')).toBe(text);
      }),
    );
  });

  it('look the same drawn one by one and together', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const { stable, rest } = splitStable(text.replaceAll(/[^\n -~]/gu, ''));
        const apart = [plain(stable), plain(rest)].filter((drawn) => drawn !== '');
        expect(apart.join('\n\n')).toBe(plain(stable + rest));
      }),
      { examples: [['[2J\n\n~~~ts'], ['a\n\n~~~ts\n\n~~~\n\nb']] },
    );
  });
});

describe('drawing any text as Markdown', () => {
  it('fits the width, contains no terminal sequences, and always succeeds', () => {
    fc.assert(
      fc.property(
        nastyText,
        fc.integer({ min: 1, max: 90 }),
        fc.boolean(),
        (text, width, isStreaming) => {
          const drawn = renderMarkdown(text, { width, theme: LINKING, isStreaming });
          expect(forbiddenIn(drawn)).toBeUndefined();
          const wide = withoutStyles(drawn)
            .split('\n')
            .filter((line) => widthOf(line) > width);
          expect(wide).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['quotes in quotes', '>'.repeat(20_000)],
    ['lists in lists', '- '.repeat(5000)],
    ['open emphasis', '_a'.repeat(50_000)],
    ['open links', '[a]('.repeat(50_000)],
    ['a word without end', '日'.repeat(50_000)],
    ['empty lines', '\n'.repeat(100_000)],
    ['a long fence', `\`\`\`ts\n${'const a = "b"; // c\n'.repeat(5000)}`],
    ['a long table', `| a | b |\n|--|--|\n${'| c | d |\n'.repeat(10_000)}`],
  ])('is fast for text made to be slow: %s', (_, text) => {
    const drawn = renderMarkdown(text, { width: 80, theme: DEFAULT_THEME, isStreaming: true });
    expect(
      withoutStyles(drawn)
        .split('\n')
        .every((line) => widthOf(line) <= 80),
    ).toBe(true);
  });

  it('cuts text that is too long to be read', () => {
    expect(plain('word\n'.repeat(200_000)).endsWith('(the rest is too long to be shown)')).toBe(
      true,
    );
  });
});
