// Reads everything that is configured and decides what may start, from all sources, the policy lists and the
// trust store. Only reads files; never starts a program, never throws.

import type { Diagnostic, PolicyList } from '../config/index.ts';
import { unknownInProfiles } from './profile-servers.ts';
import { type Configuration, loadConfig, type LoadOptions } from '../sources/index.ts';
import { admit, type AdmittedServer, type AdmissionInput } from './admission.ts';
import { withIdentityProvider } from './identity-provider.ts';
import { type AdmittedSettings, admitSettings } from './admitted-settings.ts';
import { readTrust, trustFile } from './trust-store.ts';

export interface ReadOptions extends LoadOptions {
  /** `project`: servers of this folder may start without an approval in this run. */
  readonly trust?: 'stored' | 'project';
}

export interface AdmittedConfiguration
  extends Omit<Configuration, 'servers' | keyof AdmittedSettings>, AdmittedSettings {
  readonly servers: readonly AdmittedServer[];
  /**
   * Judges servers whose entry or file cannot be read at the moment by the current rules and approvals.
   * Otherwise breaking a file would keep a server whose approval was revoked.
   */
  readonly readmit: (
    kept: readonly AdmittedServer[],
    before: Pick<Configuration, 'policies' | 'explain'>,
  ) => Promise<readonly AdmittedServer[]>;
}

export async function readConfiguration(options: ReadOptions): Promise<AdmittedConfiguration> {
  const { environment, trust: mode = 'stored', ...rest } = options;
  const [configuration, trust] = await Promise.all([
    loadConfig({ ...rest, environment }),
    readTrust(environment),
  ]);
  const judge = (judged: AdmissionInput): Promise<readonly AdmittedServer[]> =>
    admit(judged, environment, { store: trust, mode });
  const { root, folders } = configuration;
  const settings = admitSettings(configuration, { root, environment, folders, trust: mode });
  const [provider] = settings.identityProvider;
  const servers = (await judge(configuration)).map((server) =>
    withIdentityProvider(server, { provider, explain: configuration.explain }),
  );
  const curtailed = new Map(
    servers.flatMap(({ name, handover }) => (handover === undefined ? [] : [[name, handover]])),
  );
  const untrusted = servers.some(({ admission }) => admission.kind === 'untrusted');
  return {
    ...configuration,
    ...settings,
    servers,
    explain: (name) => curtailed.get(name)?.fields ?? configuration.explain(name),
    readmit: (kept, { policies, explain }) =>
      judge({
        servers: kept,
        policies: [...configuration.policies, ...unreadable(policies, configuration)],
        root: configuration.root,
        without: configuration.without,
        explain,
      }),
    diagnostics: [
      ...configuration.diagnostics,
      ...settings.diagnostics,
      ...unknownInProfiles(
        settings.gateway,
        servers.map(({ name }) => name),
      ),
      ...servers.flatMap(handoverWarnings),
      ...(untrusted ? trust.diagnostics : []),
    ],
    watched: [
      ...configuration.watched,
      ...servers.flatMap(({ scripts = [] }) => scripts.map(({ path }) => path)),
      trustFile(environment),
    ],
  };
}

/** The lists of files that have become unreadable. */
function unreadable(lists: readonly PolicyList[], { files }: Configuration): readonly PolicyList[] {
  const broken = new Set(files.flatMap(({ path, state }) => (state === 'invalid' ? [path] : [])));
  return lists.filter(({ origin }) => origin.kind === 'file' && broken.has(origin.file));
}

/**
 * The warnings about withheld values of a server that may start. The reason why it may not start is with the
 * server.
 */
function handoverWarnings({ written, admission, handover }: AdmittedServer): readonly Diagnostic[] {
  const isUsed = admission.kind === 'admitted' && !written.disabled;
  return isUsed ? (handover?.warnings ?? []) : [];
}
