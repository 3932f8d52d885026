// The transports that an entry can have, one row each: what `type` says, which fields it takes, which addresses, what
// people read. What it takes to open a server over a transport is in protocol/neutral/launch.ts and
// protocol/link-to.ts.

/**
 * What several transports have in common: the field that an entry cannot be without, and what its texts may hold. A
 * field that only entries of one form take names the form as `of` (field-row.ts).
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
  /** It runs on this machine: there is nothing to sign in to, and no network that could fail. */
  readonly isLocal: boolean;
  /** Characters that none of its texts may hold. */
  readonly refused: readonly string[];
}

/** The schemes of urls, each with the port of an address that names none. */
export const DEFAULT_PORTS = { http: '80', https: '443', ws: '80', wss: '443' } as const;

/** Without the colon. */
export type UrlScheme = keyof typeof DEFAULT_PORTS;

const HTTP = ['http:', 'https:'] as const;

const TRANSPORTS = {
  stdio: { form: 'stdio', types: ['stdio'], name: 'stdio', isImplied: true },
  http: { form: 'remote', types: ['http', 'streamable-http'], name: 'http', schemes: HTTP },
  /** A url without a type: Streamable HTTP is tried first, then HTTP+SSE. */
  'http-or-sse': { form: 'remote', types: [], name: 'http', schemes: HTTP, isImplied: true },
  sse: { form: 'remote', types: ['sse'], name: 'sse', schemes: HTTP },
  ws: { form: 'remote', types: ['ws'], name: 'ws', schemes: ['ws:', 'wss:'] },
  /** Supplied in process by the embedding program. */
  sdk: { form: 'sdk', types: ['sdk'], name: 'sdk' },
} as const satisfies Readonly<Record<string, TransportRow>>;

interface TransportRow {
  readonly form: EntryForm;
  /** What `type` may say for it; the first is the one that we write. */
  readonly types: readonly string[];
  /** What people read. */
  readonly name: string;
  /** Of its urls, the secure one last. Of transports with the same schemes, the first is suggested. */
  readonly schemes?: readonly `${UrlScheme}:`[];
  /** It is the transport of its form's entries that have no `type`. */
  readonly isImplied?: true;
}

type Rows = typeof TRANSPORTS;

export type EntryForm = keyof typeof FORMS;
export type TransportKind = keyof Rows;
export type TransportName = Rows[TransportKind]['name'];
export type KindOfForm<Form extends EntryForm> = {
  [Kind in TransportKind]: Rows[Kind]['form'] extends Form ? Kind : never;
}[TransportKind];

/** A row together with what its form says. */
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

/** What we write as `type` for a url with this scheme, such as `https:`. */
export function typeForScheme(scheme: string): string | undefined {
  return ALL_TRANSPORTS.find(({ schemes }) => schemes.some((each) => each === scheme))?.types[0];
}

/** By the name that people and programs read; one that no entry has is of the program itself. */
export function isLocalTransport(name: string): boolean {
  return ALL_TRANSPORTS.find((each) => each.name === name)?.isLocal ?? true;
}
