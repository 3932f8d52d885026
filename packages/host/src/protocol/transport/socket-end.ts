// Classifies the end of a WebSocket, or of the attempt to open one, as a failure. Pure.

import { firstWords, type ProtocolFailure } from '../neutral/failure.ts';

/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 and the IANA registry of close codes. */
export function failureOfClose(code: number, url: string): ProtocolFailure {
  switch (code) {
    case 1000:
    case 1001:
    case 1005:
    case 1012:
      return { kind: 'closed' };
    case 3000:
    case 4401:
      return { kind: 'unauthorized', url, status: 401 };
    // 1008 is a violated policy, which servers use for tokens that they do not accept.
    case 1008:
    case 3003:
    case 4403:
      return { kind: 'unauthorized', url, status: 403 };
    default:
      return { kind: 'unreachable', url, code: `WS_${code}` };
  }
}

/** The failure if the server answered over HTTP instead of opening a socket. */
export function failureOfResponse(
  response: { readonly status: number; readonly contentType: string },
  url: string,
): ProtocolFailure {
  const { status, contentType } = response;
  if (status === 401 || status === 403) return { kind: 'unauthorized', url, status };
  if (status >= 200 && status < 300)
    return { kind: 'not-mcp', url, contentType: firstWords(contentType) };
  return { kind: 'http', url, status };
}
