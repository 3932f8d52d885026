// What is kept from models, and why. Plain data.

import type { Instant } from '@plugboard/base';
import type { ScanFinding } from '../policy/index.ts';
import type { PinnedDefinition } from './definition-hash.ts';
import type { PinKind } from './pinned-server.ts';

export type QuarantineReason =
  /** It is not what was accepted. */
  | { readonly kind: 'changed'; readonly acceptedAt: Instant }
  /** It was not there when the server was first listed, and looks harmless. */
  | { readonly kind: 'new' }
  /** The same was accepted under another name, which is gone. */
  | { readonly kind: 'renamed'; readonly from: string }
  /** It was never accepted, and looks like an attack. */
  | { readonly kind: 'danger' }
  /** It was never accepted, and the user wants to see everything first. */
  | { readonly kind: 'unreviewed' }
  /** What was accepted cannot be read, so nothing counts as accepted. */
  | { readonly kind: 'unreadable-pins' };

export interface Quarantined {
  readonly server: string;
  readonly kind: PinKind;
  /** The server's own name for it; empty for its instructions. */
  readonly name: string;
  readonly hash: string;
  readonly reason: QuarantineReason;
  /** What the scanner says of it. */
  readonly findings: readonly ScanFinding[];
  /** As the server describes it now. */
  readonly definition: PinnedDefinition;
}
