// Requests to the gateway's API, below the page's own address. What can go wrong is part of the answer.

import type { ConsoleState } from '@plugboard/gateway/console-api';

export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** The cookie is gone or was never there. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string };

/** Without it the gateway changes nothing: a form on another page cannot send it. */
const OWN_HEADER = { 'x-plugboard-console': '1' } as const;

/** `path` is such as `state`, below `api/`. */
export function get<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
  return ask<T>(`api/${path}`, signal === undefined ? {} : { signal });
}

export function post<T>(path: string, body: unknown): Promise<Answer<T>> {
  return ask<T>(`api/${path}`, posted(body));
}

/** Exchanges the token of a launch for the cookie, and answers what is there now. */
export function openSession(token: string): Promise<Answer<ConsoleState>> {
  return ask<ConsoleState>('session', posted({ token }));
}

/** The cookie does not count any more. */
export function endSession(): Promise<Answer<undefined>> {
  return ask<undefined>('session/end', posted({}));
}

/** What went wrong, in words for people. */
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

function posted(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { ...OWN_HEADER, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

async function ask<T>(path: string, init: RequestInit): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    return { kind: 'offline' };
  }
  const text = await response.text().catch(() => '');
  if (response.status === 401) return { kind: 'signed-out' };
  if (!response.ok)
    return { kind: 'refused', status: response.status, reason: reasonIn(response, text) };
  return { kind: 'ok', value: (text === '' ? undefined : JSON.parse(text)) as T };
}

/** The gateway says why as `{ "error": … }` or as plain text. */
function reasonIn({ status, statusText }: Response, text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    if (typeof error === 'string') return error;
  } catch {
    // Not JSON: the text itself is the answer.
  }
  return text.slice(0, 500) || `The gateway answered ${status} ${statusText}.`;
}
