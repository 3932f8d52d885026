// Fills in the identity provider of an entry with `"xaa": true`. The provider comes from the user's own
// settings only: an entry of a project cannot name it this way. Without one, the server's configuration is
// incomplete, which is reported before any sign-in. Pure.

import {
  type ConfiguredServer,
  type Diagnostic,
  givenPosition,
  IDENTITY_PROVIDER_EXAMPLE,
  markOf,
  type NeededSecret,
  type ObjectSetting,
  originPosition,
  type Position,
} from '../config/index.ts';
import type { Configuration } from '../sources/index.ts';

interface ProviderContext extends Pick<Configuration, 'explain'> {
  readonly provider: ObjectSetting<'identityProvider'> | undefined;
}

export function withIdentityProvider<S extends ConfiguredServer>(
  server: S,
  context: ProviderContext,
): S {
  const { resolved } = server;
  if (resolved.kind !== 'ready' || !('url' in resolved.entry)) return server;
  const { entry, secrets = [] } = resolved;
  if (entry.oauth?.['xaa'] !== true) return server;
  const { provider } = context;
  if (provider === undefined) {
    return { ...server, resolved: { kind: 'unresolved', diagnostics: [missing(server, context)] } };
  }
  const { scope: _scope, origin, clientSecret, ...fields } = provider;
  const secret = clientSecret?.replace(/^\$\{secret:|\}$/g, '');
  const xaa = secret === undefined ? fields : { ...fields, clientSecret: markOf(secret) };
  const needed: readonly NeededSecret[] =
    secret === undefined
      ? []
      : [
          {
            name: secret,
            server: server.name,
            field: 'identityProvider.clientSecret',
            at: originPosition(origin),
          },
        ];
  const filled = { ...entry, oauth: { ...entry.oauth, xaa } };
  const all = [...secrets, ...needed];
  return {
    ...server,
    resolved: { ...resolved, entry: filled, ...(all.length === 0 ? {} : { secrets: all }) },
  };
}

function missing({ name }: ConfiguredServer, { explain }: ProviderContext): Diagnostic {
  return {
    severity: 'error',
    code: 'missing-identity-provider',
    message: `"${name}" is signed in to through your identity provider ("oauth.xaa" is true), and your settings name none.`,
    suggestion: `Add ${IDENTITY_PROVIDER_EXAMPLE} to your own settings: plugboard config path --scope user.`,
    ...fieldPosition(name, explain),
    server: name,
  };
}

function fieldPosition(name: string, explain: ProviderContext['explain']): Position {
  const field = explain(name).find(({ path }) => path[0] === 'oauth' && path[1] === 'xaa');
  const origin = field?.from[0]?.origin;
  return origin === undefined ? givenPosition('program') : originPosition(origin);
}
