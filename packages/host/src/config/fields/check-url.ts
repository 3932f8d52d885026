// Whether a url can be that of a server of some kind. Says why not in words that do not quote the
// url: it may hold a secret.

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

/** The scheme is fine, but for another type of server. */
function otherType(protocol: string): string {
  const type = typeForScheme(protocol);
  return type === undefined ? '' : `, or set "type": "${type}"`;
}
