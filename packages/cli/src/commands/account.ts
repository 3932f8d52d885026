// Validates the name of an account.

import { UsageError } from '../usage-error.ts';

/** Any text that can be written into an entry and shown on one line. */
const ACCOUNT = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,128}$/u;

/** Throws if the name is invalid. */
export function checkAccount(account: string | undefined): void {
  if (account === undefined || ACCOUNT.test(account)) return;
  throw new UsageError(
    'this is not a valid name for an account',
    'use 1 to 128 letters, digits and signs, such as work or me@example.com',
  );
}
