// The origin of MCP Apps: another port of this machine that serves only an empty frame. The console sends it the page of an
// app, and the frame shows the page in an inner frame without an origin and with its own policy. An app reaches the console
// only by messages, and the gateway not at all.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, parseJson } from '@plugboard/base';
import { closeServer } from '../front/index.ts';

export interface AppsOrigin extends AsyncDisposable {
  readonly origin: string;
}

export interface AppsOptions {
  readonly hostname: string;
  /** The origins of the console, which alone may show the frame. */
  readonly parents: readonly string[];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
const LONGEST_POLICY = 8192;
/** Admits only hosts into the policy: no quotes, keywords or further directives. */
const SOURCE = /^(?:https|wss):\/\/(?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?$/;
const MOST_SOURCES = 30;

/** Passes messages between the console and the app, except those between the console and this frame. */
const SCRIPT = `
const host = new URLSearchParams(location.search).get('host');
const OWN = 'ui/notifications/sandbox-';
let app;
addEventListener('message', ({ source, origin, data }) => {
  const method = typeof data?.method === 'string' ? data.method : '';
  if (source === parent && origin === host) {
    if (method === OWN + 'resource-ready') show(String(data.params?.html ?? ''));
    else app?.contentWindow?.postMessage(data, '*');
  } else if (app !== undefined && source === app.contentWindow && !method.startsWith(OWN)) {
    parent.postMessage(data, host);
  }
});
function show(html) {
  if (app !== undefined) return;
  app = document.createElement('iframe');
  app.setAttribute('sandbox', 'allow-scripts allow-forms');
  app.title = 'App';
  app.srcdoc = html;
  document.body.append(app);
}
parent.postMessage({ jsonrpc: '2.0', method: OWN + 'proxy-ready', params: {} }, host);
`;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>App</title>
<link rel="stylesheet" href="frame.css">
<body>
<script type="module" src="frame.js"></script>
</html>
`;

const STYLE = `html, body { margin: 0; height: 100%; background: transparent; }
iframe { display: block; width: 100%; height: 100%; border: 0; }
`;

/** `undefined` if the gateway does not listen on loopback: a name in front of its console may lead to a single port. */
export async function serveApps({
  hostname,
  parents,
}: AppsOptions): Promise<AppsOrigin | undefined> {
  if (!LOOPBACK.test(hostname)) return undefined;
  const server = createServer((request, response) => answer(request, response, parents));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, hostname, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

function answer(
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  parents: readonly string[],
): void {
  const [path = '', query = ''] = url.split('?');
  const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/': ['text/html; charset=utf-8', PAGE],
    '/frame.js': ['text/javascript; charset=utf-8', SCRIPT],
    '/frame.css': ['text/css; charset=utf-8', STYLE],
  };
  const file = Object.hasOwn(files, path) ? files[path] : undefined;
  if (file === undefined || method !== 'GET') {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is nothing here\n');
    return;
  }
  const [type, body] = file;
  const csp = new URLSearchParams(query).get('csp');
  const headers = {
    'Content-Type': type,
    'Content-Security-Policy': policyOf(csp, parents),
    'Connection-Allowlist': allowlistOf(csp),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=()',
    'Cache-Control': 'no-store',
  };
  response.writeHead(200, headers).end(body);
}

/** The inner frame inherits this policy. Without `csp`, it can load and reach nothing. */
function policyOf(csp: string | null, parents: readonly string[]): string {
  const resources = sourcesIn(csp, 'resourceDomains');
  const inline = ["'self'", "'unsafe-inline'", ...resources].join(' ');
  const media = ['data:', 'blob:', ...resources].join(' ');
  const list = (sources: readonly string[]): string =>
    sources.length === 0 ? "'none'" : sources.join(' ');
  return [
    "default-src 'none'",
    `script-src ${inline}`,
    `style-src ${inline}`,
    `img-src ${media}`,
    `media-src ${media}`,
    `font-src ${media}`,
    `connect-src ${list(sourcesIn(csp, 'connectDomains'))}`,
    `frame-src ${list(sourcesIn(csp, 'frameDomains'))}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${parents.join(' ')}`,
  ].join('; ');
}

/** In browsers that support it, this also forbids what a content security policy does not cover, such as WebRTC. */
function allowlistOf(csp: string | null): string {
  const keys = ['connectDomains', 'resourceDomains', 'frameDomains'];
  const sources = new Set(keys.flatMap((key) => sourcesIn(csp, key)));
  return `(${['response-origin', ...[...sources].map((source) => `"${source}"`)].join(' ')})`;
}

function sourcesIn(csp: string | null, key: string): readonly string[] {
  const read = parseJson(csp ?? '{}', { maxLength: LONGEST_POLICY, maxDepth: 4 });
  const sources = read.ok && isObject(read.value) ? read.value[key] : undefined;
  if (!Array.isArray(sources)) return [];
  return (sources as readonly unknown[])
    .filter((source): source is string => typeof source === 'string' && SOURCE.test(source))
    .slice(0, MOST_SOURCES);
}
