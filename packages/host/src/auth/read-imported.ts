// Reads tokens that the user obtained elsewhere, from a file or a pipe: the answer of a token endpoint, and
// beside it the issuer and the client. Pure. Problems name the field, never its value.

import {
  definedFields,
  err,
  type Instant,
  isObject,
  isUrl,
  ok,
  type Result,
} from '@plugboard/base';

export interface ImportedTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: Instant;
  readonly scope?: string;
  readonly issuer?: string;
  readonly resource?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

export type ImportedProblem =
  | { readonly kind: 'not-tokens' }
  /** Missing or malformed. */
  | { readonly kind: 'bad-field'; readonly field: string }
  /** Already expired, and not renewable. */
  | { readonly kind: 'expired' }
  /** A token that is bound to a key is useless without the key. */
  | { readonly kind: 'bound-token' };

/** Unknown fields are ignored: token endpoints add all kinds of them. */
export function readImported(
  given: unknown,
  now: Instant,
): Result<ImportedTokens, ImportedProblem> {
  if (!isObject(given)) return err({ kind: 'not-tokens' });
  const bad = TEXTS.find(({ field, fits, needed }) => {
    const value = given[field];
    if (value === undefined || value === null) return needed === true;
    return typeof value !== 'string' || value.length > MAX_LENGTH || !fits(value);
  });
  if (bad !== undefined) return err({ kind: 'bad-field', field: bad.field });
  const { token_type: type } = given;
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') {
    return err({ kind: 'bound-token' });
  }
  const expiresAt = expiryOf(given, now);
  if (!expiresAt.ok) return expiresAt;
  const isOver = expiresAt.value !== undefined && expiresAt.value <= now;
  if (isOver && !isGiven(given['refresh_token'])) return err({ kind: 'expired' });
  const texts = Object.fromEntries(
    TEXTS.flatMap(({ field, as }) => (isGiven(given[field]) ? [[as, given[field]]] : [])),
  ) as unknown as ImportedTokens;
  return ok({ ...texts, ...definedFields({ expiresAt: expiresAt.value }) });
}

const MAX_LENGTH = 16 * 1024;
/** https://www.rfc-editor.org/rfc/rfc6749#appendix-A: it must fit into a header. */
const isVisible = (text: string): boolean => /^[\x21-\x7E]+$/.test(text);
const isLine = (text: string): boolean => /^[\x20-\x7E]+$/.test(text);
const isAddress = (text: string): boolean => isVisible(text) && isUrl(text);

interface TextField {
  readonly field: string;
  readonly as: keyof ImportedTokens;
  readonly fits: (text: string) => boolean;
  readonly needed?: true;
}

const TEXTS: readonly TextField[] = [
  { field: 'access_token', as: 'accessToken', fits: isVisible, needed: true },
  { field: 'refresh_token', as: 'refreshToken', fits: isVisible },
  { field: 'scope', as: 'scope', fits: isLine },
  { field: 'issuer', as: 'issuer', fits: isAddress },
  { field: 'resource', as: 'resource', fits: isAddress },
  { field: 'client_id', as: 'clientId', fits: isLine },
  { field: 'client_secret', as: 'clientSecret', fits: isLine },
];

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** `expires_in` counts from now, `expires_at` is a date: seconds since 1970, or ISO 8601. */
function expiryOf(
  { expires_in: within, expires_at: at }: Readonly<Record<string, unknown>>,
  now: Instant,
): Result<Instant | undefined, ImportedProblem> {
  if (isGiven(at)) {
    const instant = typeof at === 'string' ? Date.parse(at) : Number(at) * 1000;
    const isDate = (typeof at === 'string' || typeof at === 'number') && Number.isFinite(instant);
    return isDate && !isGiven(within)
      ? ok(instant)
      : err({ kind: 'bad-field', field: 'expires_at' });
  }
  if (!isGiven(within)) return ok(undefined);
  const isAmount = typeof within === 'number' && Number.isFinite(within) && within >= 0;
  return isAmount ? ok(now + within * 1000) : err({ kind: 'bad-field', field: 'expires_in' });
}
