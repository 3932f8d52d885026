import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from '../../src/web/html-markdown.ts';

const BASE = new URL('https://docs.example.com/guide/start.html');

async function markdownOf(html: string): Promise<string> {
  return (await htmlToMarkdown(html, BASE)).text;
}

describe('HTML as Markdown', () => {
  verifies('AGT-20');

  it.each([
    ['<h2>A &amp; B</h2><p>one<p>two', '## A & B\n\none\n\ntwo'],
    ['a <b>bold </b>and <em>soft</em> <s>gone</s>', 'a **bold** and *soft* ~~gone~~'],
    ['x<br>y', 'x\ny'],
    [
      'see <a href="../api/">the <b>API</b></a>',
      'see [the **API**](https://docs.example.com/api/)',
    ],
    ['<a href="#top">up</a> <a href="javascript:run()">run</a>', 'up run'],
    [
      '<a href="x"><img src="x.png" alt="A plan"></a>',
      '[[image: A plan]](https://docs.example.com/guide/x)',
    ],
    ['<code>a `b` c</code> and <code>d</code>', '`` a `b` c `` and `d`'],
    [
      '<p>Steps:<ol start=3><li>one<li>two<ul><li>deep</ul></ol>',
      'Steps:\n\n3. one\n4. two\n   - deep',
    ],
    ['<blockquote><p>said<p>twice</blockquote>after', '> said\n>\n> twice\n\nafter'],
    ['<pre><code class="language-ts">let a;\n  b();\n</code></pre>', '```ts\nlet a;\n  b();\n```'],
    ['<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
    [
      '<table><tr><th>name<th>size<tr><td>a|b<td><p>1</p><p>2</p></table>',
      '| name | size |\n| --- | --- |\n| a\\|b | 1 2 |',
    ],
    ['<table><tr><td><table><tr><td>a<td>b</table><td>c</table>', '| a b | c |\n| --- | --- |'],
    [
      `${'<table><tr><td>a<td>'.repeat(6)}b${'</table>'.repeat(6)}`,
      '| a | a a a a a b |\n| --- | --- |',
    ],
    ['one<hr>two', 'one\n\n---\n\ntwo'],
  ])('is as expected for %s', async (html, markdown) => {
    expect(await markdownOf(html)).toBe(markdown);
  });

  it('has a separate title, and no text that a reader of the page does not see', async () => {
    const html = `<!doctype html><html><head><title> The
      guide </title><style>p { color: red }</style><script>steal()</script></head><body>
      <p>seen</p><noscript>no script</noscript><template>later</template>
      <p hidden>hidden by a word</p><div style="color: red; display : none">hidden <p>by style</p></div>
      <span aria-hidden="true">icon</span><svg><text>drawn</text></svg><select><option>chosen</select>
      <!-- a comment --><p>seen too</p></body></html>`;
    expect(await htmlToMarkdown(html, BASE)).toEqual({
      title: 'The guide',
      text: 'seen\n\nseen too',
      isCut: false,
    });
  });

  it('contains all readable text of a broken page', async () => {
    expect(await markdownOf('<p>a<b>b</p>c</i></div><td>d<li>e')).toBe('a**b**\n\ncd\n- e');
    expect(await markdownOf('<')).toBe('<');
    expect(await markdownOf('')).toBe('');
  });

  it.each(['div', 'b', 'ul><li', 'blockquote', 'table><tr><td', 'a href=x'])(
    'is cut if <%s> is nested without end, in linear time',
    async (tag) => {
      const nested = (times: number) =>
        htmlToMarkdown(`<p>before</p>${`<${tag}>`.repeat(times)}deep`, BASE);
      const small = await nested(50);
      expect(small.isCut).toBe(false);
      expect(small.text).toContain('deep');
      const { text, isCut } = await nested(200_000);
      expect({ isCut, text }).toEqual({
        isCut: tag !== 'a href=x',
        text: expect.stringContaining('before') as string,
      });
    },
  );

  it('ends at its limit', async () => {
    const limits = { characters: 40_000, depth: 100 };
    const { text, isCut } = await htmlToMarkdown('<p>some words</p>'.repeat(20_000), BASE, limits);
    expect(isCut).toBe(true);
    expect(text.length).toBeLessThan(80_000);
  });
});
