// The handshake with a legacy server on behalf of all hosts: the first host causes it, the others get the same answer. The
// server gets all capabilities that hosts of this version can have. A host never gets a request that it cannot answer.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '@plugboard/base';
import type { RequestId } from '../frame/failed-answer.ts';
import {
  canAnswer,
  grantedCapabilities,
  type InboundRequest,
} from '../neutral/inbound-requests.ts';
import type { Fields, Line, SwitchboardPorts } from './line.ts';

type SendRequest = (params: Fields, onAnswer: (answer: Fields) => void) => void;

export class Handshake {
  readonly #ports: SwitchboardPorts;
  readonly #send: SendRequest;
  readonly #capabilities = new Map<Line, Fields>();
  #waiting: { readonly line: Line; readonly id: RequestId }[] = [];
  #isUnderWay = false;
  #result: Fields | undefined;

  constructor(ports: SwitchboardPorts, send: SendRequest) {
    this.#ports = ports;
    this.#send = send;
  }

  /** The server's answer, once there is one. */
  get result(): Fields | undefined {
    return this.#result;
  }

  /** Whether the host declared that it can answer this request. */
  canAnswer(line: Line, request: InboundRequest): boolean {
    return canAnswer(request, this.#capabilities.get(line) ?? {});
  }

  initialize(line: Line, id: RequestId, params: Fields): void {
    const { capabilities } = params;
    this.#capabilities.set(line, isObject(capabilities) ? capabilities : {});
    if (this.#result !== undefined) {
      line.deliver({ jsonrpc: '2.0', id, result: this.#result });
      return;
    }
    this.#waiting.push({ line, id });
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    const all = grantedCapabilities(this.#ports.grants);
    this.#send({ ...params, capabilities: all }, (answer) => this.#onAnswer(answer));
  }

  leave(line: Line): void {
    this.#capabilities.delete(line);
    this.#waiting = this.#waiting.filter((waiting) => waiting.line !== line);
  }

  #onAnswer({ result, error }: Fields): void {
    this.#isUnderWay = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (isObject(result)) {
      this.#result = result;
      this.#ports.toServer({ jsonrpc: '2.0', method: 'notifications/initialized' });
    }
    const answer = isObject(result) ? { result } : { error };
    for (const { line, id } of waiting) {
      line.deliver({ jsonrpc: '2.0', id, ...answer } as JSONRPCMessage);
    }
  }
}
