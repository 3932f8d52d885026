// The page that the browser shows when a sign-in returns to this machine. It contains nothing from the request,
// and its headers forbid loading, scripts and caching.

import { hash } from 'node:crypto';

export type PageKind = 'received' | 'not-completed' | 'not-this';

interface PageTexts {
  readonly title: string;
  /** The explanation, with the name of the server if it is known. */
  readonly about: (server: string | undefined) => string;
  readonly text: string;
  /** The path of an icon with the same meaning. */
  readonly sign: string;
}

const WORDS: Readonly<Record<PageKind, PageTexts>> = {
  received: {
    title: 'Sign-in received',
    about: (server) => (server === undefined ? '' : `Plugboard finishes signing in to ${server}.`),
    text: 'You can close this tab.',
    sign: 'M7 12.5l3.5 3.5L17 9',
  },
  'not-completed': {
    title: 'Not signed in',
    about: (server) =>
      `The sign-in${server === undefined ? '' : ` to ${server}`} was not completed.`,
    text: 'You can close this tab. Plugboard says more where you started.',
    sign: 'M8.5 8.5l7 7m0-7l-7 7',
  },
  'not-this': {
    title: 'Nothing here',
    about: () => 'Plugboard is waiting for something else.',
    text: 'You can close this tab.',
    sign: 'M7.5 12h9',
  },
};

/** All colours have a contrast of at least 4.5 to their background, in both schemes. */
const STYLE = `
:root{color-scheme:light dark;--page:#f3f4f6;--card:#fff;--edge:#e1e4e8;--text:#1c2128;--quiet:#57606a;--good:#1a7f37;--bad:#a0460b;--plain:#57606a}
@media(prefers-color-scheme:dark){:root{--page:#0d1117;--card:#161b22;--edge:#30363d;--text:#e6edf3;--quiet:#9aa4af;--good:#3fb950;--bad:#e3893b;--plain:#9aa4af}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:grid;place-content:center;padding:1rem;background:var(--page);color:var(--text);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:28rem;padding:2.25rem 2.5rem 2rem;background:var(--card);border:1px solid var(--edge);border-radius:14px;text-align:center}
svg{width:3.25rem;height:3.25rem;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.received svg{color:var(--good)}
.not-completed svg{color:var(--bad)}
.not-this svg{color:var(--plain)}
h1{margin:.75rem 0 .5rem;font-size:1.5rem;line-height:1.25;font-weight:600}
p{text-wrap:balance}
p+p{margin-top:.375rem}
b{font-weight:600;overflow-wrap:anywhere}
.next{color:var(--quiet)}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--edge);color:var(--quiet);font-size:.875rem}
`;

/** `server` is a name or a host that the user knows. */
export function redirectPage(kind: PageKind, server?: string): string {
  const { title, about, text, sign } = WORDS[kind];
  const sentence = about(server === undefined ? server : `<b>${escapeHtml(shortened(server))}</b>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} – Plugboard</title>
<style>${STYLE}</style>
</head>
<body>
<main class="${kind}">
<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="${sign}"/></svg>
<h1>${title}</h1>
${sentence === '' ? '' : `<p>${sentence}</p>\n`}<p class="next">${text}</p>
<footer>Plugboard</footer>
</main>
</body>
</html>
`;
}

export function pageHeaders(): Readonly<Record<string, string>> {
  const style = hash('sha256', STYLE, 'base64');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${style}'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    connection: 'close',
  };
}

const MOST_SHOWN = 80;

function shortened(name: string): string {
  const characters = Array.from(name);
  return characters.length <= MOST_SHOWN ? name : `${characters.slice(0, MOST_SHOWN).join('')}…`;
}

/** The name comes from the server itself or from the author of its entry. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
