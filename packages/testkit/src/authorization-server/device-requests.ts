// Sign-ins on devices without a browser (RFC 8628): pending requests, and the replies to polls. Other files have the
// pages for the person.

import { randomInt } from 'node:crypto';
import { type Clock, err, ok, type Result } from '@plugboard/base';
import type { OAuthError } from './answer.ts';
import type { SecretLedger } from './secret-ledger.ts';
import type { Grant } from './token-store.ts';

export type DeviceState =
  | { readonly kind: 'pending' }
  | { readonly kind: 'approved'; readonly subject: string }
  | { readonly kind: 'denied' }
  | { readonly kind: 'done' };

export interface DeviceRequest {
  readonly deviceCode: string;
  readonly userCode: string;
  /** The requested grant, without a subject. */
  readonly asked: Omit<Grant, 'subject'>;
  readonly expires: number;
  readonly state: DeviceState;
}

interface PollState {
  readonly last: number;
  readonly intervalSeconds: number;
}

/** Letters without vowels and easily confused ones. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
/** How much RFC 8628 adds to the interval of a device that polls too often. */
const SLOW_DOWN_SECONDS = 5;

export class DeviceRequests {
  readonly #ports: { readonly clock: Clock; readonly secrets: SecretLedger };
  readonly #settings: {
    readonly deviceCodeSeconds: number;
    readonly deviceIntervalSeconds: number;
  };
  readonly #requests = new Map<string, DeviceRequest>();
  readonly #polling = new Map<string, PollState>();

  constructor(
    ports: { clock: Clock; secrets: SecretLedger },
    settings: { deviceCodeSeconds: number; deviceIntervalSeconds: number },
  ) {
    this.#ports = ports;
    this.#settings = settings;
  }

  open(asked: Omit<Grant, 'subject'>): DeviceRequest {
    const { clock, secrets } = this.#ports;
    const request: DeviceRequest = {
      deviceCode: secrets.mint('device-code'),
      userCode: userCode(),
      asked,
      expires: clock.now() + this.#settings.deviceCodeSeconds * 1000,
      state: { kind: 'pending' },
    };
    this.#requests.set(request.deviceCode, request);
    return request;
  }

  get all(): readonly DeviceRequest[] {
    return [...this.#requests.values()];
  }

  /** Finds a request by the typed code, ignoring dashes and case. */
  find(typed: string): DeviceRequest | undefined {
    const plain = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z]/g, '');
    return this.all.find((request) => plain(request.userCode) === plain(typed));
  }

  decide(request: DeviceRequest, state: DeviceState): void {
    this.#requests.set(request.deviceCode, { ...request, state });
  }

  /** Answers a poll of a device. */
  poll(deviceCode: string, clientId: string): Result<Grant, OAuthError> {
    const request = this.#requests.get(deviceCode);
    if (request?.asked.clientId !== clientId) return refused('invalid_grant');
    if (this.#ports.clock.now() >= request.expires) return refused('expired_token');
    if (this.#tooSoon(deviceCode)) return refused('slow_down');
    switch (request.state.kind) {
      case 'pending':
        return refused('authorization_pending');
      case 'denied':
        return refused('access_denied');
      case 'done':
        return refused('invalid_grant');
      case 'approved':
        this.decide(request, { kind: 'done' });
        return ok({ ...request.asked, subject: request.state.subject });
      default:
        return request.state satisfies never;
    }
  }

  #tooSoon(deviceCode: string): boolean {
    const now = this.#ports.clock.now();
    const before = this.#polling.get(deviceCode);
    const wanted = before?.intervalSeconds ?? this.#settings.deviceIntervalSeconds;
    const soon = before !== undefined && now - before.last < wanted * 1000;
    const intervalSeconds = soon ? wanted + SLOW_DOWN_SECONDS : wanted;
    this.#polling.set(deviceCode, { last: now, intervalSeconds });
    return soon;
  }
}

function refused(error: string): Result<never, OAuthError> {
  return err({ error });
}

function userCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS.charAt(randomInt(LETTERS.length)));
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}
