// Detects whether a form asks for a secret. Servers must not do that: the input passes through the host and may be kept
// in its records. A heuristic for a warning; nothing may depend on it.

import { soundsSecret } from '@plugboard/base';

/** For running text, in which `soundsSecret`, which is made for names, would find too much. */
const WORDS =
  /\b(?:passwords?|passwd|passphrase|passcode|pass ?word|secret|api[ -_]?keys?|access[ -_]?keys?|private[ -_]?keys?|(?:access|auth|authentication|bearer|refresh|api|session|personal|github|gitlab)[ -_]?tokens?|tokens?|credentials?|one[ -]?time (?:code|password)|otp|2fa|mfa|cvv|cvc|(?:credit )?card number|seed phrase|recovery (?:code|phrase)|pin(?: code)?)\b/iu;

export function namesSecret(name: string): boolean {
  return soundsSecret(name) || mentionsSecret(name.replaceAll(/[_-]/g, ' '));
}

export function mentionsSecret(text: string): boolean {
  return WORDS.test(text);
}
