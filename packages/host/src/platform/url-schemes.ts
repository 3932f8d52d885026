// The URL schemes of remote servers, one row each.

interface UrlSchemeRow {
  readonly defaultPort: string;
  /** Whether its connections use TLS. */
  readonly isSecure: boolean;
  /** The scheme of the same address in HTTP. */
  readonly asHttp: 'http' | 'https';
}

export const URL_SCHEMES = {
  http: { defaultPort: '80', isSecure: false, asHttp: 'http' },
  https: { defaultPort: '443', isSecure: true, asHttp: 'https' },
  ws: { defaultPort: '80', isSecure: false, asHttp: 'http' },
  wss: { defaultPort: '443', isSecure: true, asHttp: 'https' },
} as const satisfies Readonly<Record<string, UrlSchemeRow>>;

/** Without the colon. */
export type UrlScheme = keyof typeof URL_SCHEMES;

export function isUrlScheme(word: string): word is UrlScheme {
  return Object.hasOwn(URL_SCHEMES, word);
}
