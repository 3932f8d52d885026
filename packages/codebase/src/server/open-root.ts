// Opens what belongs to one root: the tree and who follows it, text search with its index, ranked search with its own, and the
// programs that are asked about its files. All of it closes with the scope that it is opened in.

import { join } from 'node:path';
import { type Clock, delay, type Logger, messageOf, type Scope } from '@plugboard/base';
import type { EmbedderSettings } from '../embed/index.ts';
import { Git } from '../history/index.ts';
import type { FileReading } from '../indexing/index.ts';
import { LanguageServers, type LanguageServerSettings } from '../language-server/index.ts';
import { userCacheFolder } from '../platform/index.ts';
import { contentHash, type Root, TreeFollower } from '../scan/index.ts';
import { indexFolder, type StoreSettings } from '../store/index.ts';
import { StructureSearch } from '../structure/index.ts';
import { TextSearch, TrigramIndex } from '../text/index.ts';
import type { TreeChanges } from './parts/codebase-parts.ts';
import { RankedIndex } from './ranked-index.ts';
import { changesOf } from './tree-changes.ts';

/** What counts for every root. */
export interface SharedSettings {
  /**
   * Hosts whose repositories may be fetched where a root is an address; `file:` for those of this machine. None by
   * default.
   */
  readonly allowRemotes?: readonly string[] | undefined;
  readonly embedder?: EmbedderSettings | undefined;
  /** Where the index of chunks is; embedded by default. */
  readonly store?: StoreSettings | undefined;
  /** Programs that are started to be asked who uses a symbol, by language; none by default. */
  readonly languageServers?: LanguageServerSettings | undefined;
  /** Where indexes are kept; under the user's cache by default. */
  readonly cacheFolder?: string | undefined;
  /**
   * `at-once`, the default: the tree is watched and indexed as soon as a client connects. `when-asked`: by the first
   * question that needs an index, which waits for vectors as well; for a process that lives for one question.
   */
  readonly indexing?: 'at-once' | 'when-asked' | undefined;
  /**
   * What happens to files that ignore files leave out, and to those that look like secrets. `refuse`, by default.
   * `on-request`: `read_file` gives them where it is called with `ignored: true`; for hosts that ask a person about
   * that.
   */
  readonly ignored?: 'refuse' | 'on-request' | undefined;
}

export interface OpenRoot {
  /** Empty where it is the only one. */
  readonly name: string;
  readonly root: Root;
  readonly text: TextSearch;
  readonly changes: TreeChanges;
  readonly ranked: RankedIndex;
  readonly git: Git;
  readonly structure: StructureSearch;
  readonly languageServers: LanguageServers;
}

export interface OpenRootOptions {
  readonly name: string;
  readonly root: Root;
  readonly settings: SharedSettings;
  readonly reader?: FileReading | undefined;
  /** What is worse than it could be. */
  readonly note?: string | undefined;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long clients wait for a large tree to be watched before they are served without. */
const WATCH_PATIENCE_MS = 1000;

export async function openRoot(options: OpenRootOptions): Promise<OpenRoot> {
  const { name, root, settings, reader, note, scope, clock, logger } = options;
  const folder = indexFolder(settings.cacheFolder ?? userCacheFolder(), root.path);
  const trigrams = scope.use(await openTrigrams(root, folder, logger));
  const prefix = name === '' ? '' : `${name}/`;
  const text = new TextSearch({ root, clock, index: trigrams, prefix });
  const structure = new StructureSearch(root, clock);
  scope.defer(() => structure.close());
  const languageServers = scope.use(
    new LanguageServers(root.path, settings.languageServers ?? {}, clock),
  );
  const tree = scope.use(new TreeFollower(root, clock));
  const changes = scope.use(changesOf({ tree, trigrams, text, logger }));
  const ranked = scope.use(
    new RankedIndex({
      ...{ root, tree, folder, rootId: contentHash(root.path), clock, logger, reader, note },
      embedder: settings.embedder ?? { kind: 'embedded' },
      store: settings.store ?? { kind: 'embedded' },
      indexing: settings.indexing,
    }),
  );
  if (settings.indexing !== 'when-asked') await watched(tree.start(), clock, scope.signal);
  const git = new Git(root.path, clock);
  return { name, root, text, changes, ranked, git, structure, languageServers };
}

function openTrigrams(root: Root, folder: string, logger: Logger): Promise<TrigramIndex> {
  const onFailure = (thrown: unknown): void =>
    logger.log('warn', 'the trigram index was not written', { reason: messageOf(thrown) });
  return TrigramIndex.open({ root, folder: join(folder, 'text'), onFailure });
}

async function watched(tree: TreeFollower, clock: Clock, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const patience = delay(WATCH_PATIENCE_MS, clock, AbortSignal.any([signal, ended.signal]));
  await Promise.race([
    tree.started,
    patience.catch(() => {
      // Closed meanwhile, or the tree has started.
    }),
  ]);
  ended.abort();
}
