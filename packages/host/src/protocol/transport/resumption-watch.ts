// Tracks requests whose event stream was interrupted before their answer, while the SDK tries to resume the stream. The SDK
// does not report when it gives up, so the request would wait for its deadline; this fails it at once.

import type { RequestId } from '../frame/failed-answer.ts';
import type { ProtocolFailure } from '../neutral/failure.ts';

/** The number of attempts that the SDK makes. */
const RESUMPTION_TRIES = 2;

export class ResumptionWatch {
  readonly #waiting = new Set<RequestId>();
  readonly #fail: (id: RequestId, failure: ProtocolFailure) => void;
  #failures = 0;

  constructor(fail: (id: RequestId, failure: ProtocolFailure) => void) {
    this.#fail = fail;
  }

  /** To be called when the stream of this request was interrupted and can be resumed. */
  interrupted(id: RequestId): void {
    this.#waiting.add(id);
  }

  /** To be called when a stream was resumed, which may bring the pending answers. */
  resumed(): void {
    this.#failures = 0;
    this.#waiting.clear();
  }

  /** To be called when an attempt to resume a stream did not reach the server. */
  unreached(failure: ProtocolFailure): void {
    this.#failures += 1;
    if (this.#failures < RESUMPTION_TRIES) return;
    const lost = [...this.#waiting];
    this.resumed();
    for (const id of lost) this.#fail(id, failure);
  }
}

/** Whether a request is an attempt to resume a stream. */
export function isResumption(request: RequestInit | undefined): boolean {
  return request?.method === 'GET' && new Headers(request.headers).has('last-event-id');
}
