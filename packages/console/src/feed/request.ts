// Requests to the gateway's API, below the page's own address. Failures are part of the answer.

import type { ConsoleState } from '@plugboard/gateway/console-api';

export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** The cookie has expired or was never set. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The gateway requires it for changes, since a form on another page cannot send it. */
const OWN_HEADER = { 'x-plugboard-console': '1' } as const;

/** `path` is relative to `api/`, such as `state`. */
export function get<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
  return send<T>(`api/${path}`, signal === undefined ? {} : { signal });
}

export function post<T>(path: string, body: unknown): Promise<Answer<T>> {
  return send<T>(`api/${path}`, postOf(body));
}

/** Exchanges a launch token for the cookie, and returns the current state. */
export function openSession(token: string): Promise<Answer<ConsoleState>> {
  return send<ConsoleState>('session', postOf({ token }));
}

/** Invalidates the cookie. */
export function endSession(): Promise<Answer<undefined>> {
  return send<undefined>('session/end', postOf({}));
}

/** The failure in words. */
export function reasonOf(answer: Exclude<Answer<unknown>, { kind: 'ok' }>): string {
  switch (answer.kind) {
    case 'signed-out':
      return 'This page is signed out. Open it again with plugboard console.';
    case 'offline':
      return 'The gateway does not answer.';
    case 'refused':
      return answer.reason;
    default:
      return answer satisfies never;
  }
}

function postOf(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { ...OWN_HEADER, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

async function send<T>(path: string, init: RequestInit): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    return { kind: 'offline' };
  }
  const text = await response.text().catch(() => '');
  if (response.status === 401) return { kind: 'signed-out' };
  if (!response.ok) return { kind: 'refused', reason: reasonIn(response, text) };
  return { kind: 'ok', value: (text === '' ? undefined : JSON.parse(text)) as T };
}

/** The gateway says why as `{ "error": … }` or as plain text. */
function reasonIn({ status, statusText }: Response, text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    if (typeof error === 'string') return error;
  } catch {
    // Not JSON: the text itself is the reason.
  }
  return text.slice(0, 500) || `The gateway answered ${status} ${statusText}.`;
}
