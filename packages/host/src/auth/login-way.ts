// How somebody who wants to sign in does it: in a browser that comes back here, or with a code that they
// type in on any other device. What a person is shown of the second is cleaned before it is handed over.

import type { Instant } from '@plugboard/base';
import type { Browser } from './browser.ts';

export type LoginWay =
  | { readonly kind: 'browser'; readonly browser: Browser }
  /** https://www.rfc-editor.org/rfc/rfc8628, where the authorization server offers it. */
  | { readonly kind: 'device'; readonly show: (prompt: DevicePrompt) => void };

export interface DevicePrompt {
  /** Where the code is typed in. */
  readonly verificationUrl: URL;
  /** The same with the code filled in already. */
  readonly completeUrl?: URL;
  /** Text of the authorization server, without control characters and not long. */
  readonly userCode: string;
  /** From then on the code is worth nothing. */
  readonly expiresAt: Instant;
}
