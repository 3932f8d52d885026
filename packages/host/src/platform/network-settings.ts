// The network settings of the environment: proxies, and the certificate that identifies this user to servers. Extra
// certificate authorities (NODE_EXTRA_CA_CERTS) are not included, since Node itself reads them when it starts. Pure.

import { resolve } from 'node:path';
import { definedFields } from '@plugboard/base';
import type { HostEnvironment } from './host-environment.ts';

export interface NetworkSettings {
  /** By the scheme of the destination, as written. May contain a password. */
  readonly proxies: { readonly http?: string; readonly https?: string };
  /** Hosts that are reached without a proxy, in lower case. */
  readonly noProxy: readonly string[];
  readonly clientCertificate?: { readonly certFile: string; readonly keyFile: string };
}

/** `undefined` without a proxy and a certificate. */
export function networkSettings(
  environment: Pick<HostEnvironment, 'env' | 'cwd'>,
): NetworkSettings | undefined {
  const { env, cwd } = environment;
  // Both spellings are in use; as in other programs, the lower case one takes precedence.
  const either = (name: string): string | undefined =>
    nonBlank(env[name.toLowerCase()]) ?? nonBlank(env[name]);
  const http = either('HTTP_PROXY');
  const https = either('HTTPS_PROXY');
  const cert = nonBlank(env['PLUGBOARD_CLIENT_CERT']);
  if (http === undefined && https === undefined && cert === undefined) return undefined;
  return {
    proxies: definedFields({ http, https }),
    noProxy: hostsOf(either('NO_PROXY') ?? ''),
    ...(cert !== undefined && {
      clientCertificate: {
        certFile: resolve(cwd, cert),
        // One file may contain both.
        keyFile: resolve(cwd, nonBlank(env['PLUGBOARD_CLIENT_KEY']) ?? cert),
      },
    }),
  };
}

function nonBlank(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function hostsOf(list: string): readonly string[] {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== '');
}
