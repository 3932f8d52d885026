// Checks whether a URL is valid for a kind of server. Messages never quote the URL, which may contain a secret.

import { isUrl } from '@plugboard/base';
import type { Finding } from '../text/index.ts';
import type { RemoteEntry } from './server-entry.ts';
import { transportOf, typeForScheme } from './transports.ts';

export function checkUrl(url: string, kind: RemoteEntry['kind']): Finding | undefined {
  const { schemes } = transportOf(kind);
  const example = `${schemes.at(-1)}//example.com/mcp`;
  if (!isUrl(url)) return wrongUrl('is not a complete url', `Write it like ${example}.`);
  const { protocol, username, password } = new URL(url);
  if (!schemes.some((scheme) => scheme === protocol)) {
    return wrongUrl(
      `must start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
      `Write it like ${example}${otherType(protocol)}.`,
    );
  }
  if (username === '' && password === '') return undefined;
  return wrongUrl(
    'holds a user name or a password',
    'Send it as a header instead: "headers": { "Authorization": "Basic ${CREDENTIALS}" }.',
  );
}

function wrongUrl(reason: string, suggestion: string): Finding {
  return {
    severity: 'error',
    code: 'bad-value',
    path: ['url'],
    on: 'value',
    message: `"url" ${reason}.`,
    suggestion,
  };
}

/** Suggests another type of server if the scheme belongs to it. */
function otherType(protocol: string): string {
  const type = typeForScheme(protocol);
  return type === undefined ? '' : `, or set "type": "${type}"`;
}
