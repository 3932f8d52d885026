// An item that is kept back from models, and the reason. Plain data.

import type { Instant } from '@plugboard/base';
import type { ScanFinding } from '../policy/index.ts';
import type { PinnedDefinition } from './definition-hash.ts';
import type { PinKind } from './pinned-server.ts';

export type QuarantineReason =
  /** It differs from the accepted definition. */
  | { readonly kind: 'changed'; readonly acceptedAt: Instant }
  /** It was not in the first list of the server, and looks harmless. */
  | { readonly kind: 'new' }
  /** The same definition was accepted under another name, which is no longer listed. */
  | { readonly kind: 'renamed'; readonly from: string }
  /** It was never accepted, and looks like an attack. */
  | { readonly kind: 'danger' }
  /** It was never accepted, and the user accepts everything explicitly. */
  | { readonly kind: 'unreviewed' }
  /** The pins cannot be read, so nothing counts as accepted. */
  | { readonly kind: 'unreadable-pins' };

export interface Quarantined {
  readonly server: string;
  readonly kind: PinKind;
  /** The server's own name for it; empty for its instructions. */
  readonly name: string;
  readonly hash: string;
  readonly reason: QuarantineReason;
  /** The findings of the scanner. */
  readonly findings: readonly ScanFinding[];
  /** As the server describes it now. */
  readonly definition: PinnedDefinition;
}
