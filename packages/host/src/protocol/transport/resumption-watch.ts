// Requests whose event stream was cut before their answer, while the SDK tries to take the stream up
// again. When it gives up it tells nobody, and the request would wait for its deadline; here it is
// failed instead.

import type { RequestId } from '../frame/failed-answer.ts';
import type { ProtocolFailure } from '../neutral/failure.ts';

/** As often as the SDK tries. */
const RESUMPTION_TRIES = 2;

export class ResumptionWatch {
  readonly #waiting = new Set<RequestId>();
  readonly #fail: (id: RequestId, failure: ProtocolFailure) => void;
  #failures = 0;

  constructor(fail: (id: RequestId, failure: ProtocolFailure) => void) {
    this.#fail = fail;
  }

  /** The stream of this request was cut, and can be taken up again. */
  cut(id: RequestId): void {
    this.#waiting.add(id);
  }

  /** A stream was taken up again: what was cut may come through it. */
  resumed(): void {
    this.#failures = 0;
    this.#waiting.clear();
  }

  /** A try to take a stream up again did not reach the server. */
  unreached(failure: ProtocolFailure): void {
    this.#failures += 1;
    if (this.#failures < RESUMPTION_TRIES) return;
    const lost = [...this.#waiting];
    this.resumed();
    for (const id of lost) this.#fail(id, failure);
  }
}

/** Whether a request is a try to take a stream up again. */
export function isResumption(request: RequestInit | undefined): boolean {
  return request?.method === 'GET' && new Headers(request.headers).has('last-event-id');
}
