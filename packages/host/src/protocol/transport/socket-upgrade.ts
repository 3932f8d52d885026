// Handles a server's refusal to open a WebSocket: decides whether to try again with newer credentials.

import type { IncomingHttpHeaders } from 'node:http';
import { never } from '@plugboard/base';
import type {
  AnsweredRequest,
  AuthorizationPort,
  AuthorizationVerdict,
} from '../neutral/authorization.ts';
import { challengeOf } from './authorized-fetch.ts';

export interface UpgradeRefusal {
  readonly status: number;
  readonly headers: Headers;
}

export function headersOf(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}

export async function judgeUpgrade(
  { status, headers }: UpgradeRefusal,
  request: Pick<AnsweredRequest, 'method' | 'url' | 'given' | 'repeats'>,
  authorization: AuthorizationPort | undefined,
): Promise<AuthorizationVerdict> {
  const isRefused = authorization !== undefined && (status === 401 || status === 403);
  if (!isRefused) return { kind: 'pass' };
  const challenge = challengeOf(new Response(null, { status, headers }));
  const nonce = headers.get('dpop-nonce') ?? undefined;
  return authorization.judge({ ...request, status, challenge, nonce }, never);
}
