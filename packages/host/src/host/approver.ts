// Who says whether a call may run. The embedding program hands one over; without it nothing runs.

import type { JsonObject } from '@plugboard/base';
import type { CatalogTool } from '../catalog/index.ts';

export interface ApprovalRequest {
  readonly tool: CatalogTool;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
}

export type Approval =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string };

export type Approver = (request: ApprovalRequest) => Approval | Promise<Approval>;

const ALLOW: Approval = { kind: 'allow' };

/** For programs in which every call is already someone's explicit wish. */
export const allowAll: Approver = () => ALLOW;

/** The default: a program that has not said who approves has approved nothing. */
export const denyAll: Approver = () => ({
  kind: 'deny',
  reason: 'no approver was given to createHost',
});
