// What the browser shows when a sign-in comes back to this machine. Nothing of the request is in it, and
// its headers let it load, run and remember nothing.

import { createHash } from 'node:crypto';

export type PageKind = 'received' | 'not-completed' | 'not-this';

const WORDS: Readonly<Record<PageKind, readonly [title: string, text: string]>> = {
  received: [
    'Plugboard has the answer',
    'You can close this window and go back to where you were.',
  ],
  'not-completed': [
    'The sign-in was not completed',
    'You can close this window. Plugboard says more where you started it.',
  ],
  'not-this': ['Nothing here', 'Plugboard is waiting for something else.'],
};

const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;margin:20vh auto;max-width:30rem;padding:0 1rem;' +
  'color:#1d2129;background:#fff}h1{font-size:1.6rem}' +
  '@media(prefers-color-scheme:dark){body{color:#e4e6eb;background:#18191a}}';

export function redirectPage(kind: PageKind): string {
  const [title, text] = WORDS[kind];
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width">' +
    `<title>${title}</title><style>${STYLE}</style></head>` +
    `<body><h1>${title}</h1><p>${text}</p></body></html>\n`
  );
}

export function pageHeaders(): Readonly<Record<string, string>> {
  const style = createHash('sha256').update(STYLE).digest('base64');
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
