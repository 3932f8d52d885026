// The clients that may request tokens: preconfigured ones, registered ones, and those whose id is the address of a
// document. Other files authenticate them.

import { randomBytes, type JsonWebKey } from 'node:crypto';
import { isObject, isUrl } from '@plugboard/base';

export type ClientAuthentication =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt';

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly authentication: ClientAuthentication;
  readonly secret?: string;
  /** When the secret ends, in milliseconds since the epoch. */
  readonly secretEnds?: number;
  readonly keys?: readonly JsonWebKey[];
  readonly grantTypes?: readonly string[];
  readonly applicationType?: string;
  /** Its id at the server that an identity assertion is for, if different. */
  readonly idElsewhere?: string;
  readonly registeredBy: 'hand' | 'itself' | 'document';
}

/** A preconfigured client. */
export interface KnownClient {
  readonly id: string;
  readonly redirectUris?: readonly string[];
  /** By default `client_secret_basic` with a secret, `private_key_jwt` with keys, otherwise `none`. */
  readonly authentication?: ClientAuthentication;
  readonly secret?: string;
  readonly keys?: readonly JsonWebKey[];
  /** Its id at the server that an identity assertion is for; the same by default. */
  readonly idElsewhere?: string;
}

/** A client-id metadata document, as a client publishes it. */
export interface ClientDocument {
  readonly client_id: string;
  readonly client_name?: string;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method?: ClientAuthentication;
  readonly jwks?: { readonly keys: readonly JsonWebKey[] };
}

/** Where documents come from: a table, then the network; or nowhere. */
export interface DocumentSource {
  readonly kind: 'fetched' | 'unsupported';
  readonly given: ReadonlyMap<string, ClientDocument>;
}

export class ClientRegistry {
  readonly #clients = new Map<string, Client>();
  readonly #documents: DocumentSource;

  constructor(known: readonly KnownClient[], documents: DocumentSource) {
    this.#documents = documents;
    for (const client of known) this.add(clientOf(client));
  }

  add(client: Client): void {
    this.#clients.set(client.id, client);
  }

  /** Deletes a client, which then gets `invalid_client`. */
  forget(id: string): void {
    this.#clients.delete(id);
  }

  get all(): readonly Client[] {
    return [...this.#clients.values()];
  }

  async find(id: string): Promise<Client | undefined> {
    return this.#clients.get(id) ?? (await this.#byDocument(id));
  }

  async #byDocument(id: string): Promise<Client | undefined> {
    if (this.#documents.kind === 'unsupported' || !isDocumentAddress(id)) return undefined;
    const document: unknown = this.#documents.given.get(id) ?? (await fetchDocument(id));
    if (!isClientDocument(document) || document.client_id !== id) return undefined;
    return {
      id,
      name: document.client_name ?? id,
      redirectUris: document.redirect_uris,
      authentication: document.token_endpoint_auth_method ?? 'none',
      ...(document.jwks === undefined ? {} : { keys: document.jwks.keys }),
      registeredBy: 'document',
    };
  }
}

export function newClientId(): string {
  return `client-${randomBytes(8).toString('hex')}`;
}

/** Whether the client registered the address. Loopback addresses may have any port (RFC 8252). */
export function allowsRedirect(client: Client, uri: string): boolean {
  return client.redirectUris.some((registered) => {
    if (registered === uri) return true;
    const [known, asked] = [loopback(registered), loopback(uri)];
    return known !== undefined && known === asked;
  });
}

/** A loopback address without its port; `undefined` for any other. */
export function loopback(uri: string): string | undefined {
  const url = isUrl(uri) ? new URL(uri) : undefined;
  if (url?.protocol !== 'http:') return undefined;
  if (!['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)) return undefined;
  url.port = '';
  return url.href;
}

function clientOf(known: KnownClient): Client {
  const { id, redirectUris = [], secret, keys, idElsewhere } = known;
  const usual = secret !== undefined ? 'client_secret_basic' : keys && 'private_key_jwt';
  return {
    id,
    name: id,
    redirectUris,
    authentication: known.authentication ?? usual ?? 'none',
    ...(secret === undefined ? {} : { secret }),
    ...(keys === undefined ? {} : { keys }),
    ...(idElsewhere === undefined ? {} : { idElsewhere }),
    registeredBy: 'hand',
  };
}

function isDocumentAddress(id: string): boolean {
  const url = isUrl(id) ? new URL(id) : undefined;
  if (url === undefined || url.pathname === '/') return false;
  return url.protocol === 'https:' || loopback(id) !== undefined;
}

async function fetchDocument(address: string): Promise<unknown> {
  try {
    const response = await fetch(address, { redirect: 'error', headers: { connection: 'close' } });
    return response.ok ? await response.json() : undefined;
  } catch {
    // Without a document, the client is unknown.
    return undefined;
  }
}

function isClientDocument(value: unknown): value is ClientDocument {
  if (!isObject(value)) return false;
  const {
    client_id: id,
    redirect_uris: redirectUris,
  }: { [Field in keyof ClientDocument]?: unknown } = value;
  return typeof id === 'string' && isTexts(redirectUris);
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
