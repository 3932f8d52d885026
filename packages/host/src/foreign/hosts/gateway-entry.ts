// How other MCP hosts write the gateway into their files, field by field. Pure.

import { isObject } from '@plugboard/base';
import type { ForeignHostId } from './foreign-host.ts';

/** The name of the gateway in the files of other hosts. */
export const GATEWAY_NAME = 'plugboard';

/** How a client reaches the gateway. */
export type GatewayReach =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string; readonly token: string | undefined };

type Fields = Readonly<Record<string, unknown>>;

interface EntryForm {
  readonly stdio: (command: string, args: readonly string[]) => Fields;
  /** Absent if the host only starts programs. */
  readonly http?: (url: string, headers: Fields) => Fields;
}

const plain = (command: string, args: readonly string[]): Fields => ({ command, args });
const typed = (command: string, args: readonly string[]): Fields => ({
  type: 'stdio',
  command,
  args,
});

const FORMS: Readonly<Record<ForeignHostId, EntryForm>> = {
  'claude-code': {
    stdio: typed,
    http: (url, headers) => ({ type: 'http', url, ...headers }),
  },
  'claude-desktop': { stdio: plain },
  cursor: { stdio: plain, http: (url, headers) => ({ url, ...headers }) },
  vscode: {
    stdio: typed,
    http: (url, headers) => ({ type: 'http', url, ...headers }),
  },
  windsurf: {
    stdio: plain,
    http: (url, headers) => ({ serverUrl: url, ...headers }),
  },
  codex: {
    stdio: plain,
    http: (url, { headers }) => ({
      url,
      ...(headers === undefined ? {} : { http_headers: headers }),
    }),
  },
  gemini: {
    stdio: plain,
    http: (url, headers) => ({ httpUrl: url, ...headers }),
  },
  opencode: {
    stdio: (command, args) => ({ type: 'local', command: [command, ...args], enabled: true }),
    http: (url, headers) => ({ type: 'remote', url, ...headers, enabled: true }),
  },
  zed: {
    stdio: (command, args) => ({ source: 'custom', command, args, env: {} }),
    http: (url, headers) => ({ url, ...headers }),
  },
  cline: {
    stdio: (command, args) => ({ command, args, disabled: false }),
    http: (url, headers) => ({ type: 'streamableHttp', url, ...headers, disabled: false }),
  },
};

/** `undefined` if the host does not support this way of reaching the gateway. */
export function gatewayEntry(host: ForeignHostId, reach: GatewayReach): Fields | undefined {
  const form = FORMS[host];
  if (reach.kind === 'stdio') return form.stdio(reach.command, reach.args);
  const { url, token } = reach;
  return form.http?.(
    url,
    token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } },
  );
}

/** Whether an entry starts or reaches a gateway, in the form of any host. */
export function reachesGateway(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { command, args, url, httpUrl, serverUrl } = entry;
  const words = [command, args].flat().filter((word) => typeof word === 'string');
  if (words.some((word) => /plugboard/.test(word)) && words.includes('serve')) return true;
  const address = [url, httpUrl, serverUrl].find((each) => typeof each === 'string');
  return address !== undefined && /^https?:\/\/[^/]+\/(?:mcp|sse)(?:\/|$)/.test(address);
}

/** Whether an entry of another host is the gateway, which would call itself endlessly if it were used as a server. */
export function isInstalledGateway(name: string, entry: unknown): boolean {
  return name === GATEWAY_NAME && reachesGateway(entry);
}
