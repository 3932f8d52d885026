// Routes for recorded calls: the list by pages, the search, and each call with its messages.

import type { Reader } from '../client/index.ts';
import type { CallQuery, Recorder } from '../traffic/index.ts';
import { type ApiRequest, refused, type Route } from './route.ts';

const MOST_CALLS = 1000;
const FEWER_CALLS = 200;
const MOST_FOUND = 10_000;
const LONGEST_TEXT = 200;

export function callRoutes(recorder: Recorder): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/calls',
      answer: (request) => ({ kind: 'json', body: recorder.calls(pageOf(request, MOST_CALLS)) }),
    },
    {
      method: 'GET',
      path: '/recording',
      answer: (request) => ({ kind: 'json', body: recorder.details(pageOf(request, FEWER_CALLS)) }),
    },
    {
      method: 'GET',
      path: '/calls/search',
      answer: async ({ reader, query }) => {
        const text = query.get('text') ?? '';
        const asked = { principal: visiblePrincipal(reader), limit: MOST_FOUND };
        const isSearchable = text.length > 0 && text.length <= LONGEST_TEXT;
        return { kind: 'json', body: isSearchable ? await recorder.search(text, asked) : [] };
      },
    },
    {
      method: 'GET',
      path: '/calls/*',
      answer: ({ reader, parts: [id = ''] }) => {
        const body = recorder.call(id, visiblePrincipal(reader));
        return body === undefined
          ? refused(404, 'This call is not kept any more')
          : { kind: 'json', body };
      },
    },
  ];
}

function pageOf({ reader, query }: ApiRequest, most: number): CallQuery {
  const wanted = Number(query.get('limit') ?? FEWER_CALLS);
  const limit = Number.isSafeInteger(wanted) ? Math.min(wanted, most) : FEWER_CALLS;
  return { principal: visiblePrincipal(reader), before: query.get('before') ?? undefined, limit };
}

/** The principal whose calls a reader sees; `undefined` for all, which administrators see. */
function visiblePrincipal({ principal, isAdministrator }: Reader): string | undefined {
  return isAdministrator ? undefined : principal;
}
