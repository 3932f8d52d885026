// Tracks requests whose event stream was cut before their answer, while the SDK tries to resume the stream. The
// SDK does not report when it gives up, and the request would wait for its deadline; here it fails instead.

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

  /** The stream of this request was cut, and can be resumed. */
  cut(id: RequestId): void {
    this.#waiting.add(id);
  }

  /** A stream was resumed: it may carry the pending answers. */
  resumed(): void {
    this.#failures = 0;
    this.#waiting.clear();
  }

  /** An attempt to resume a stream did not reach the server. */
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
