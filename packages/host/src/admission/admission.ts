// Whether a configured server may start, and if not, why: a policy list keeps it out, it is the same as
// another one, or the user has not approved what came with a folder or a plugin. Pure, but for the trust
// store that is handed in.

import type { Configuration, ConfiguredServer, FieldReport, Scope } from '../config/index.ts';
import { withSecretsAsWritten } from '../config/index.ts';
import type { TrustStanding } from './consents.ts';
import { findDuplicates, signatureOf } from './duplicates.ts';
import { type BlockingRule, judgePolicy } from './judge-policy.ts';
import type { LaunchTarget } from './launch-target.ts';
import { needsTrust, type Switch } from './needs-trust.ts';
import type { Trust } from './trust-store.ts';
import type { TrustLaunch, TrustSubject } from './trust-subject.ts';

export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'blocked'; readonly rule: BlockingRule }
  /** `by` is the name of the server that is the same. */
  | { readonly kind: 'suppressed'; readonly by: string }
  | {
      readonly kind: 'untrusted';
      readonly subject: TrustSubject;
      readonly standing: TrustStanding;
    };

/** Decides for every server; in the order of `configuration.servers`. */
export async function admit(
  configuration: Configuration,
  trust: Trust | 'everything',
): Promise<readonly Admission[]> {
  const { servers } = configuration;
  const duplicates = findDuplicates(
    servers.map((server) => ({
      name: server.name,
      scope: server.scope,
      signature: signatureOf(targetOf(server)),
    })),
  );
  return Promise.all(
    servers.map(async (server): Promise<Admission> => {
      const policy = policyOn(server, configuration);
      if (policy.kind === 'blocked') return policy;
      const by = duplicates.get(server.name);
      if (by !== undefined) return { kind: 'suppressed', by };
      return trust === 'everything' ? ADMITTED : trustIn(server, configuration, trust);
    }),
  );
}

const ADMITTED: Admission = { kind: 'admitted' };

/** What would have to be approved for a server to start; nothing where nobody need approve it. */
export function trustSubject(
  server: ConfiguredServer,
  configuration: Pick<Configuration, 'root' | 'explain'>,
): TrustSubject | undefined {
  // Most servers have no such source, and finding out who stated which field costs time.
  if (!server.sources.some(({ scope }) => FOREIGN.has(scope))) return undefined;
  const fields = configuration.explain(server.name);
  const stated = fields.flatMap(({ path, from }) =>
    from.map(({ scope }) => ({ path, scope, fromRepository: false })),
  );
  if (!needsTrust(stated, switchesOf(fields))) return undefined;
  const { name, scope } = server;
  const folder = scope === 'plugin' ? pluginFolder(fields) : undefined;
  return { name, root: folder ?? configuration.root, launch: launchOf(server) };
}

const FOREIGN: ReadonlySet<Scope> = new Set<Scope>(['local', 'project', 'plugin']);

function switchesOf(fields: readonly FieldReport[]): readonly Switch[] {
  const field = fields.find(({ path }) => path.length === 1 && path[0] === 'disabled');
  return [...(field?.from ?? []), ...(field?.lost ?? [])].map(({ scope, value }) => ({
    scope,
    fromRepository: false,
    isDisabled: value === true,
  }));
}

function pluginFolder(fields: readonly FieldReport[]): string | undefined {
  return fields.flatMap(({ from }) => from).find(({ scope }) => scope === 'plugin')?.folder;
}

/** As written: neither secrets nor what happens to be set in the environment has a part in it. */
function launchOf({ written, resolved }: ConfiguredServer): TrustLaunch {
  if (written.kind === 'stdio') {
    const { kind, command, args, env, cwd, envFile } = written;
    const read = resolved.kind === 'ready' ? resolved.envFile?.values : undefined;
    return {
      type: kind,
      command,
      args,
      env,
      headers: {},
      ...(cwd === undefined ? {} : { cwd }),
      ...(envFile === undefined ? {} : { envFile }),
      ...(read === undefined ? {} : { envFileValues: read }),
    };
  }
  if (written.kind === 'sdk') return { type: written.kind, env: {}, headers: {} };
  const { kind, url, headers, headersHelper, oauth } = written;
  return {
    type: kind,
    url,
    env: {},
    headers,
    ...(headersHelper === undefined ? {} : { headersHelper }),
    ...(oauth === undefined ? {} : { oauth }),
  };
}

async function trustIn(
  server: ConfiguredServer,
  configuration: Configuration,
  trust: Trust,
): Promise<Admission> {
  const subject = trustSubject(server, configuration);
  if (subject === undefined) return ADMITTED;
  const standing = await trust.standingOf(subject);
  return standing.kind === 'approved' ? ADMITTED : { kind: 'untrusted', subject, standing };
}

/** A server of the program itself is part of the program. */
function policyOn(
  server: ConfiguredServer,
  { policies }: Configuration,
): ReturnType<typeof judgePolicy> {
  if (policies.length === 0 || server.written.kind === 'sdk') return { kind: 'allowed' };
  return judgePolicy({ name: server.name, target: targetOf(server) }, policies);
}

/** With variables filled in, where they can be: whoever sets a variable must not get around a rule. */
function targetOf({ written, resolved }: ConfiguredServer): LaunchTarget {
  const entry = resolved.kind === 'ready' ? resolved.entry : written;
  if (entry.kind === 'sdk') return { kind: 'none' };
  if (entry.kind === 'stdio') {
    return { kind: 'command', argv: [entry.command, ...entry.args].map(withSecretsAsWritten) };
  }
  return { kind: 'url', url: withSecretsAsWritten(entry.url) };
}
