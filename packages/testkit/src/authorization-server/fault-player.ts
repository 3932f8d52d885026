// Injects faults into answers: decides for each request whether one is due, and applies it. The authorization server
// and protected servers use it.

import type { ServerResponse } from 'node:http';
import { type Answer, html, json, oauthError, redirect, send } from './answer.ts';
import type { Fault } from './misbehaviour.ts';
import { fits, type LoggedRequest } from './request-log.ts';
import { pause } from '../scripted-server/tool-call.ts';

export class FaultPlayer {
  readonly #closed: AbortSignal;
  /** Counted by fault object, so that a new list starts again. */
  readonly #played = new Map<Fault, number>();

  constructor(closed: AbortSignal) {
    this.#closed = closed;
  }

  /** Applies the first due fault, or else sends the result of `answer`. */
  async respond(exchange: {
    readonly request: LoggedRequest;
    readonly response: ServerResponse;
    readonly faults: readonly Fault[];
    readonly answer: () => Promise<Answer> | Answer;
  }): Promise<void> {
    const { request, response, faults, answer } = exchange;
    const fault = this.#due(request, faults);
    if (fault === undefined) {
      send(response, await answer());
      return;
    }
    this.#played.set(fault, (this.#played.get(fault) ?? 0) + 1);
    switch (fault.kind) {
      case 'slow':
        if (await pause(fault.ms, this.#closed)) send(response, await answer());
        return;
      case 'lost-answer':
        await answer();
        response.destroy();
        return;
      case 'reset':
        response.destroy();
        return;
      case 'hang':
        return;
      case 'stall':
        response.writeHead(200, { 'content-type': 'application/json' }).write('{');
        return;
      default:
        send(response, faultyAnswer(fault));
    }
  }

  #due(request: LoggedRequest, faults: readonly Fault[]): Fault | undefined {
    return faults.find((one) => {
      const { at: endpoint, grantType, times = Number.POSITIVE_INFINITY } = one;
      const filter = { endpoint, ...(grantType === undefined ? {} : { grantType }) };
      return fits(request, filter) && (this.#played.get(one) ?? 0) < times;
    });
  }
}

type AnsweringFault = Exclude<
  Fault,
  { readonly kind: 'slow' | 'lost-answer' | 'reset' | 'hang' | 'stall' }
>;

function faultyAnswer(fault: AnsweringFault): Answer {
  switch (fault.kind) {
    case 'status':
      return { status: fault.status, headers: { 'content-type': 'text/plain' }, body: 'sorry' };
    case 'error':
      return oauthError(fault);
    case 'invalid-json':
      return { ...json({}), body: '{"issuer": ' };
    case 'not-an-object':
      return { ...json({}), body: '["not", "an", "object"]' };
    case 'html':
      return html('<!doctype html><title>Sign in to the network</title>');
    case 'huge':
      return json({ padding: 'x'.repeat(fault.bytes) });
    case 'redirect':
      return redirect(fault.to, fault.status);
    default:
      return fault satisfies never;
  }
}
