// The built-in server `codebase`: its entry in the configuration, and the server itself. Its package is loaded on the
// first connection.

import {
  type AdmittedConfiguration,
  type AdmittedServer,
  CODEBASE,
  type CodebaseSetting,
  type HostEnvironment,
  type Origin,
  scopeRow,
  strongest,
} from '@plugboard/host/configuration';
import type { Codebase } from '@plugboard/codebase';
import type { InProcessServer } from '@plugboard/host';

/** The effective settings of the server. */
interface CodebaseChoice {
  readonly embedder: unknown;
  readonly store: unknown;
  readonly languageServers: unknown;
  /** Folders that are searched besides the root, as in the settings. */
  readonly roots: unknown;
  readonly remotes: unknown;
}

/** Whether the server exists: `PLUGBOARD_CODEBASE=off` removes it, also from lists. */
export function bringsCodebase({ env }: Pick<HostEnvironment, 'env'>): boolean {
  return env['PLUGBOARD_CODEBASE'] !== 'off';
}

/** The settings that disable it. One is enough: a project cannot enable what another file disables. */
export function disabledBy({ codebase }: CodebaseSettings): readonly CodebaseSetting[] {
  return codebase.filter(({ disabled }) => disabled === true);
}

type CodebaseSettings = Pick<AdmittedConfiguration, 'codebase'>;

export function codebaseChoice({ codebase }: CodebaseSettings): CodebaseChoice {
  return {
    embedder: strongest(codebase, 'embedder'),
    store: strongest(codebase, 'store'),
    languageServers: strongest(codebase, 'languageServers'),
    roots: strongest(codebase, 'roots'),
    remotes: strongest(codebase, 'remotes'),
  };
}

const ORIGIN: Origin = { kind: 'given', by: 'plugboard' };

/** An entry for the server, so that every command that shows servers includes it. */
export function builtInServer(read: CodebaseSettings, version: string | undefined): AdmittedServer {
  const disabling = disabledBy(read);
  const entry = {
    kind: 'sdk',
    disabled: disabling.length > 0,
    required: false,
    alwaysLoad: false,
    ...(version === undefined ? {} : { edition: editionOf(version) }),
  } as const;
  const stated = { scope: 'dynamic', origin: ORIGIN, author: 'user' } as const;
  return {
    name: CODEBASE,
    ...stated,
    sources: [
      { ...stated, part: 'defines' },
      ...disabling.map(({ scope, origin }) => ({
        scope,
        origin,
        author: scopeRow(scope).author,
        part: 'patches' as const,
      })),
    ],
    written: entry,
    resolved: { kind: 'ready', entry },
    admission: { kind: 'admitted' },
  };
}

/** The tools of the server depend on the version. */
function editionOf(version: string): string {
  return `${CODEBASE} ${version}`;
}

type Connectable = Extract<InProcessServer, { readonly edition?: string }>;

export interface InProcessCodebase extends Connectable, AsyncDisposable {}

/** The settings, and the folder that is searched. */
export interface CodebasePlace extends CodebaseSettings {
  readonly root: string;
}

export interface CodebaseLife {
  readonly version: string;
  /** `when-asked` indexes only for a question that needs an index, for a command that ends with its answer. */
  readonly indexing: 'at-once' | 'when-asked';
}

export function inProcessCodebase(
  place: CodebasePlace,
  { version, indexing }: CodebaseLife,
): InProcessCodebase {
  let opening: Promise<Codebase> | undefined;
  return {
    edition: editionOf(version),
    async connect(transport) {
      opening ??= open(place, indexing);
      await (await opening).server().connect(transport);
    },
    async [Symbol.asyncDispose]() {
      // The caller of `connect` has received the error.
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

async function open(place: CodebasePlace, indexing: CodebaseLife['indexing']): Promise<Codebase> {
  const {
    createCodebase,
    parseEmbedderSettings,
    parseLanguageServers,
    parseHosts,
    parseRoots,
    parseStoreSettings,
  } = await import('@plugboard/codebase');
  const { embedder, store, languageServers, roots, remotes } = codebaseChoice(place);
  const embedding = parseEmbedderSettings(embedder);
  const storing = parseStoreSettings(store);
  const serving = parseLanguageServers(languageServers);
  const problems = [embedding, storing, serving].flatMap((read) => (read.ok ? [] : read.error));
  if (!embedding.ok || !storing.ok || !serving.ok)
    throw new Error(`in the settings, ${problems.join('; ')}`);
  return createCodebase({
    // Roots that overlap with the project are left out.
    roots: [{ path: place.root }, ...parseRoots(roots, { besides: place.root })],
    allowRemotes: parseHosts(remotes),
    embedder: embedding.value,
    store: storing.value,
    languageServers: serving.value,
    indexing,
    // The host asks the user about such calls.
    ignored: 'on-request',
  });
}
