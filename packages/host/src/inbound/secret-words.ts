// Whether a form seems to ask for a secret. Servers must not: what is typed into a form passes through the
// host and may be kept in its records. A guess, to warn by; nothing may depend on its being right.

import { soundsSecret } from '@plugboard/base';

/** In running text: `soundsSecret` is made for names and takes too much for a secret here. */
const WORDS =
  /\b(?:passwords?|passwd|passphrase|passcode|pass ?word|secret|api[ -_]?keys?|access[ -_]?keys?|private[ -_]?keys?|(?:access|auth|authentication|bearer|refresh|api|session|personal|github|gitlab)[ -_]?tokens?|tokens?|credentials?|one[ -]?time (?:code|password)|otp|2fa|mfa|cvv|cvc|(?:credit )?card number|seed phrase|recovery (?:code|phrase)|pin(?: code)?)\b/iu;

export function namesSecret(name: string): boolean {
  return soundsSecret(name) || mentionsSecret(name.replaceAll(/[_-]/g, ' '));
}

export function mentionsSecret(text: string): boolean {
  return WORDS.test(text);
}
