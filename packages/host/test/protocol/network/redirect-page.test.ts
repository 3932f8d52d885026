import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pageHeaders, redirectPage } from '../../../src/protocol/network/redirect-page.ts';

const KINDS = ['received', 'not-completed', 'not-this'] as const;

describe('the final page of a sign-in', () => {
  it.each(KINDS)('says that the tab can be closed, and runs no script (%s)', (kind) => {
    const page = redirectPage(kind, 'mcp.example.com');
    expect(page).toContain('You can close this tab.');
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|\sstyle=|https?:|javascript:/i);
  });

  it('shows the name of the server as text, whatever it is', () => {
    const page = redirectPage('received', `<img src=x onerror="alert('1')">&amp;`);
    expect(page).not.toContain('<img');
    expect(page).toContain('&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;amp;');
  });

  it('cuts a name that is too long, between two characters', () => {
    const page = redirectPage('received', '🔌'.repeat(1000));
    expect(page).toContain(`<b>${'🔌'.repeat(80)}…</b>`);
  });

  it('works without a name', () => {
    expect(redirectPage('not-completed')).toContain('<p>The sign-in was not completed.</p>');
    expect(redirectPage('received')).not.toContain('finishes');
  });

  it.each(KINDS)('may load only its own style, which is allowed by its hash (%s)', (kind) => {
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(redirectPage(kind)) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(pageHeaders()['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });
});
