// The misbehaviour of an authorization server, as data. All options combine, and can change while the server runs.
// Omitted options mean correct behaviour.

import type { JsonObject } from '@plugboard/base';
import type { Endpoint } from './request-log.ts';

/** A fault in place of an answer, or in an answer. */
export type Fault = FaultTarget &
  (
    | { readonly kind: 'status'; readonly status: number }
    /** An OAuth error, such as `temporarily_unavailable`. */
    | { readonly kind: 'error'; readonly error: string; readonly description?: string }
    | { readonly kind: 'invalid-json' }
    /** A web page with status 200, as from a proxy or a captive portal. */
    | { readonly kind: 'html' }
    /** Valid JSON of at least this size. */
    | { readonly kind: 'huge'; readonly bytes: number }
    /** JSON that is not an object. */
    | { readonly kind: 'not-an-object' }
    | { readonly kind: 'slow'; readonly ms: number }
    /** Reads the request and never answers. */
    | { readonly kind: 'hang' }
    /** Sends the head and one byte, then nothing more. */
    | { readonly kind: 'stall' }
    | { readonly kind: 'redirect'; readonly to: string; readonly status?: 302 | 303 | 307 | 308 }
    /** Cuts the connection before handling the request. */
    | { readonly kind: 'reset' }
    /** Handles the request, then cuts the connection: the client never gets its new token. */
    | { readonly kind: 'lost-answer' }
  );

export interface FaultTarget {
  readonly at: Endpoint;
  /** Only requests to the token endpoint with this grant type. */
  readonly grantType?: string;
  /** Only the first ones of them. */
  readonly times?: number;
}

export interface Misbehaviour {
  /** Overrides fields of the metadata; `null` removes a field. */
  readonly metadata?: JsonObject;
  /** `absent`: does not advertise PKCE. `plain`: only the unsafe method. */
  readonly pkceAdvertised?: 'absent' | 'plain';
  /** The `iss` of the redirect. `normalised`: equal only after URL normalisation. */
  readonly iss?: 'missing' | 'normalised' | { readonly forged: string };
  readonly state?: 'missing' | 'wrong';
  /** Every authorization request is redirected back with this error. */
  readonly authorizationError?: { readonly error: string; readonly description?: string };
  readonly tokens?: TokenMisbehaviour;
  /** Overrides fields of the answer to a registration; `null` removes a field. */
  readonly registration?: JsonObject;
  /** The same for the answer to a device: a hostile `verification_uri`, no `interval`. */
  readonly device?: JsonObject;
  readonly faults?: readonly Fault[];
}

export interface TokenMisbehaviour {
  readonly expiresIn?: 'missing' | 'text';
  /** The `token_type`: `bearer`, or an unknown one. */
  readonly type?: string;
  /** Grants at most these scopes, and reports that. */
  readonly narrowTo?: readonly string[];
  /** Omits the scope. */
  readonly scope?: 'missing';
  /** Overrides fields of the answer; `null` removes a field. */
  readonly fields?: JsonObject;
}

/** Endpoint addresses that no client may open or fetch, named by their defect. */
export const HOSTILE_ADDRESSES: readonly { readonly name: string; readonly address: string }[] = [
  { name: 'a script', address: 'javascript:alert(document.domain)' },
  { name: 'a document in the address', address: 'data:text/html,<script>alert(1)</script>' },
  { name: 'a file', address: 'file:///etc/passwd' },
  { name: 'an editor', address: 'vscode://evil.extension/run?cmd=calc' },
  { name: 'a shell substitution', address: 'a:$(touch /tmp/plugboard-pwned)' },
  { name: 'backticks', address: 'a:`touch /tmp/plugboard-pwned`' },
  { name: 'a shell ampersand', address: 'a:b&calc.exe' },
  { name: 'a newline', address: 'a:b\ntouch /tmp/plugboard-pwned' },
  { name: 'a flag', address: '--renderer-cmd-prefix=touch /tmp/plugboard-pwned' },
  { name: 'plain http elsewhere', address: 'http://example.com/authorize' },
  { name: 'a user name in it', address: 'https://good.example@evil.example/authorize' },
  { name: 'the metadata address of clouds', address: 'http://169.254.169.254/latest/meta-data/' },
  { name: 'the same in decimal', address: 'http://2852039166/latest/meta-data/' },
  { name: 'the same in octal', address: 'http://0251.0376.0251.0376/latest/meta-data/' },
  { name: 'the same inside IPv6', address: 'http://[::ffff:169.254.169.254]/latest/meta-data/' },
  { name: 'the same by https', address: 'https://169.254.169.254/latest/meta-data/' },
  { name: 'a private network', address: 'https://10.0.0.1/authorize' },
  { name: 'another private network', address: 'https://192.168.1.1/authorize' },
  { name: 'a carrier network', address: 'https://100.64.0.1/authorize' },
  { name: 'a unique local address', address: 'https://[fd00::1]/authorize' },
  { name: 'a link-local address', address: 'https://[fe80::1]/authorize' },
];
