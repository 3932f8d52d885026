// The files of the console's page, as a table that is built once: only paths in it exist. File names decide what a
// browser may cache, and each file is sent with a policy on what the page may load and reach.

import { join } from 'node:path';
import { listFolder, readTextFile } from '@plugboard/host/configuration';

export interface PageFile {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** By path after `/console/`; the path of the page itself is empty. */
export type Page = ReadonlyMap<string, PageFile>;

const TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['json', 'application/json'],
  ['txt', 'text/plain; charset=utf-8'],
]);

const MOST_BYTES = 8 * 1024 * 1024;
const DEEPEST = 4;
/** Bundlers name files by a hash of their content. */
const HASHED = /-[\w-]{8,}\.[a-z]+$/;

/** `frames` is the origin of MCP Apps. */
function policyOf(frames: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "connect-src 'self'",
    `frame-src ${frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every response of the console. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policyOf("'none'"),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const MISSING = `The page of the console is not installed: install the package @plugboard/console beside plugboard.
What the gateway does is also shown by: plugboard status
`;

/** Reads the files of a folder; without a page in it, a text explains that. `apps` is the origin of MCP Apps. */
export async function readPage(folder: string | undefined, apps = "'none'"): Promise<Page> {
  const files = folder === undefined ? [] : await filesIn(folder, '', DEEPEST);
  const page = new Map(files.map(({ path, body }) => [path, pageFile(path, body, apps)]));
  const index = page.get('index.html') ?? pageFile('index.txt', MISSING, apps);
  return page.set('', index);
}

function pageFile(path: string, body: string, apps: string): PageFile {
  const isKept = HASHED.test(path);
  return {
    body,
    headers: {
      ...SAFE_HEADERS,
      'Content-Security-Policy': policyOf(apps),
      'Content-Type': TYPES.get(endingOf(path)) ?? 'text/plain; charset=utf-8',
      'Cache-Control': isKept ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  };
}

interface ReadFile {
  readonly path: string;
  readonly body: string;
}

async function filesIn(folder: string, path: string, depth: number): Promise<readonly ReadFile[]> {
  const items = depth === 0 ? [] : await listFolder(join(folder, path));
  const found = await Promise.all(
    items.map(async ({ name, kind }): Promise<readonly ReadFile[]> => {
      const at = path === '' ? name : `${path}/${name}`;
      if (kind === 'folder') return filesIn(folder, at, depth - 1);
      if (kind !== 'file' || !TYPES.has(endingOf(name))) return [];
      const read = await readTextFile(join(folder, at), { maxBytes: MOST_BYTES });
      return read.ok ? [{ path: at, body: read.value }] : [];
    }),
  );
  return found.flat();
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
