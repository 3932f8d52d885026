// The transports of entries, one row each: the values of `type`, the fields, the addresses, and the name for
// people. How to connect over a transport is in protocol/neutral/launch.ts and protocol/link-to.ts.

import type { UrlScheme } from '../../platform/index.ts';

/**
 * What several transports have in common: the required field of an entry, and the characters that its texts
 * may contain. A field for entries of one form names that form as `of` (field-row.ts).
 */
const FORMS = {
  stdio: {
    needs: 'command',
    about: 'a server started by a command',
    isLocal: true,
    refused: ['\0'],
  },
  remote: {
    needs: 'url',
    about: 'a server reached by url',
    isLocal: false,
    // A line break would start another header.
    refused: ['\0', '\r', '\n'],
  },
  sdk: { about: 'a server supplied by the program', isLocal: true, refused: [] },
} as const satisfies Readonly<Record<string, FormRow>>;

interface FormRow {
  readonly needs?: 'command' | 'url';
  readonly about: string;
  /** Whether servers of this form run on this machine, without a sign-in and without a network that could fail. */
  readonly isLocal: boolean;
  /** Characters that its texts may not contain. */
  readonly refused: readonly string[];
}

const HTTP = ['http:', 'https:'] as const;

const TRANSPORTS = {
  stdio: { form: 'stdio', types: ['stdio'], name: 'stdio', isImplied: true },
  http: { form: 'remote', types: ['http', 'streamable-http'], name: 'http', schemes: HTTP },
  /** A URL without a type: Streamable HTTP is tried first, then HTTP+SSE. */
  'http-or-sse': { form: 'remote', types: [], name: 'http', schemes: HTTP, isImplied: true },
  sse: { form: 'remote', types: ['sse'], name: 'sse', schemes: HTTP },
  ws: { form: 'remote', types: ['ws'], name: 'ws', schemes: ['ws:', 'wss:'] },
  /** Supplied in process by the embedding program. */
  sdk: { form: 'sdk', types: ['sdk'], name: 'sdk' },
} as const satisfies Readonly<Record<string, TransportRow>>;

interface TransportRow {
  readonly form: EntryForm;
  /** The accepted values of `type`; we write the first one. */
  readonly types: readonly string[];
  /** The name for people. */
  readonly name: string;
  /** The schemes of its URLs, the secure one last. Of transports with the same schemes, the first is suggested. */
  readonly schemes?: readonly `${UrlScheme}:`[];
  /** Whether this is the transport of entries of its form without a `type`. */
  readonly isImplied?: true;
}

type Rows = typeof TRANSPORTS;

export type EntryForm = keyof typeof FORMS;
export type TransportKind = keyof Rows;
export type TransportName = Rows[TransportKind]['name'];
export type KindOfForm<Form extends EntryForm> = {
  [Kind in TransportKind]: Rows[Kind]['form'] extends Form ? Kind : never;
}[TransportKind];

/** A row together with the row of its form. */
export interface Transport extends TransportRow, FormRow {
  readonly kind: TransportKind;
  readonly name: TransportName;
  readonly schemes: readonly `${UrlScheme}:`[];
}

export const ALL_TRANSPORTS: readonly Transport[] =
  // The keys are those of the table.
  (Object.keys(TRANSPORTS) as TransportKind[]).map(described);

function described(kind: TransportKind): Transport {
  const row: Omit<Transport, keyof FormRow | 'kind' | 'schemes'> = TRANSPORTS[kind];
  return { kind, schemes: [], ...FORMS[row.form], ...row };
}

const BY_KIND: ReadonlyMap<TransportKind, Transport> = new Map(
  ALL_TRANSPORTS.map((transport) => [transport.kind, transport]),
);

export function transportOf(kind: TransportKind): Transport {
  return BY_KIND.get(kind) ?? described(kind);
}

/** The `type` that we write for a URL with this scheme, such as `https:`. */
export function typeForScheme(scheme: string): string | undefined {
  return ALL_TRANSPORTS.find(({ schemes }) => schemes.some((each) => each === scheme))?.types[0];
}

/** Takes the name for people. A name that no transport has belongs to a server of the program itself. */
export function isLocalTransport(name: string): boolean {
  return ALL_TRANSPORTS.find((each) => each.name === name)?.isLocal ?? true;
}
