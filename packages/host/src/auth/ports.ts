// What the parts of this room are handed by whoever owns them.

import type { Clock, Logger } from '@plugboard/base';
import type { Fetch } from '../protocol/index.ts';
import type { Browser } from './browser.ts';
import type { CredentialStore } from './credential-store.ts';
import type { OAuthSettings } from './oauth-settings.ts';
import type { RefusalMemory } from './refusal-memory.ts';
import type { Renewals } from './renewals.ts';

export interface AuthorizationPorts {
  readonly store: CredentialStore;
  readonly refusals: RefusalMemory;
  readonly renewals: Renewals;
  /** For every address that a server names. */
  readonly fetch: Fetch;
  /** For the identity provider, if the entry has one: it is judged by its own address. */
  readonly providerFetch: Fetch;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whoever can be asked to sign in at any time; nobody, where it is absent. */
  readonly browser: Browser | undefined;
  /** The document that describes this program to authorization servers. */
  readonly clientMetadataUrl: string | undefined;
  /** How the program is called where people are asked. */
  readonly clientName: string;
  /** Aborted when nobody needs anything any more. */
  readonly ending: AbortSignal;
}

/** One remote server, as its entry describes it. */
export interface AuthorizedServer {
  readonly name: string;
  readonly url: string;
  readonly settings: OAuthSettings;
  /** A hash of all that its entry says. */
  readonly entry: string;
}

/** A remote server, with the secrets of its entry filled in. */
export interface RemoteServer {
  readonly name: string;
  readonly url: string;
  readonly oauth: Readonly<Record<string, unknown>> | undefined;
  /** Those of its entry. */
  readonly headers: Readonly<Record<string, string>>;
}
