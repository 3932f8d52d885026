// Decides whether a resource may be read. If a rule says to ask, the program's `approveRead` is called;
// without it the read is denied. Remembers approvals that last longer than one read.

import type { Decision } from '../policy/index.ts';
import type { Approval } from './approver.ts';
import type { CallPermission, PermissionObserver } from './call-permission.ts';
import { decisionReason } from './decision-reason.ts';

export interface ReadRequest {
  readonly server: string;
  readonly uri: string;
  /** Why approval is needed: the rule and its place. */
  readonly decision: Decision;
  readonly signal: AbortSignal;
}

/** A remembered approval counts for this resource while the host lives. */
export type ReadApprover = (request: ReadRequest) => Approval | Promise<Approval>;

export type ReadPermit =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string; readonly decision: Decision };

const ALLOW: ReadPermit = { kind: 'allow' };

export const denyReads: ReadApprover = () => ({
  kind: 'deny',
  reason: 'no `approveRead` was given to createHost',
});

export class ReadPermission {
  readonly #permission: CallPermission;
  readonly #approve: ReadApprover;
  readonly #remembered = new Set<string>();

  constructor(permission: CallPermission, approve: ReadApprover) {
    this.#permission = permission;
    this.#approve = approve;
  }

  async permit(
    resource: {
      readonly server: string;
      readonly uri: string;
      readonly observer?: PermissionObserver | undefined;
    },
    signal: AbortSignal,
  ): Promise<ReadPermit> {
    const { server, uri, observer } = resource;
    const decision = this.#permission.decideResource({ server, uri });
    observer?.decided(decision);
    if (decision.kind === 'allow') return ALLOW;
    if (decision.kind === 'deny') {
      return { kind: 'deny', reason: decisionReason(decision), decision };
    }
    // No server name contains a NUL.
    const key = `${server}\0${uri}`;
    if (this.#remembered.has(key)) {
      observer?.approved('earlier-approval', 'allow');
      return ALLOW;
    }
    const answer = await this.#approve({ server, uri, decision, signal });
    observer?.approved('person', answer.kind);
    if (answer.kind === 'deny') return { kind: 'deny', reason: answer.reason, decision };
    const { remember = 'once' } = answer;
    if (remember !== 'once') this.#remembered.add(key);
    // The rules may have changed while the user was asked.
    const now = this.#permission.decideResource({ server, uri });
    return now.kind === 'deny'
      ? { kind: 'deny', reason: decisionReason(now), decision: now }
      : ALLOW;
  }
}
