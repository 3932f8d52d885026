// What the modules of this folder receive and return.

import type { Clock, Logger, Result } from '@plugboard/base';
import type { AuthorizationProblem, Fetch } from '../protocol/index.ts';
import type { Browser } from './browser.ts';
import type { CredentialStore } from './credential-store.ts';
import type { OAuthSettings } from './oauth-settings.ts';
import type { RefusalMemory } from './refusal-memory.ts';
import type { Renewals } from './renewals.ts';

export type AuthorizationResult<T> = Promise<Result<T, AuthorizationProblem>>;

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
  /** For sign-ins that the user did not start; if absent, the host never asks the user to sign in. */
  readonly browser: Browser | undefined;
  /** The address of the client metadata document of this program. */
  readonly clientMetadataUrl: string | undefined;
  /** The name of the program on consent pages. */
  readonly clientName: string;
  /** Aborts when the host ends. */
  readonly ending: AbortSignal;
}

/** One remote server, as its entry describes it. */
export interface AuthorizedServer {
  readonly name: string;
  readonly url: string;
  readonly settings: OAuthSettings;
  /** A hash of the whole entry. */
  readonly entry: string;
}
