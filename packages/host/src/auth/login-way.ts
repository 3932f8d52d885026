// How the user signs in: in a browser that returns to this machine, or with a code entered on another device.
// What the user is shown of the second is sanitized first.

import type { Instant } from '@plugboard/base';
import type { Browser } from './browser.ts';

export type LoginWay =
  | { readonly kind: 'browser'; readonly browser: Browser }
  /** https://www.rfc-editor.org/rfc/rfc8628, if the authorization server offers it. */
  | { readonly kind: 'device'; readonly show: (prompt: DevicePrompt) => void };

export interface DevicePrompt {
  /** The page where the code is entered. */
  readonly verificationUrl: URL;
  /** The same page with the code filled in. */
  readonly completeUrl?: URL;
  /** Text from the authorization server, without control characters and bounded in length. */
  readonly userCode: string;
  /** The code is invalid from then on. */
  readonly expiresAt: Instant;
}
