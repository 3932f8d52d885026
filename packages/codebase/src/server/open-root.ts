// Opens the parts of one root: the tree and its follower, text search and ranked search with their indexes, and the programs
// that answer questions about its files. They are closed with the scope in which they are opened.

import { join } from 'node:path';
import { type Clock, delay, type Logger, messageOf, type Scope } from '@plugboard/base';
import type { EmbedderSettings } from '../embed/index.ts';
import { Git } from '../history/index.ts';
import { FileReader, type ReadingPool } from '../indexing/index.ts';
import { LanguageServers, type LanguageServerSettings } from '../language-server/index.ts';
import { userCacheFolder } from '../platform/index.ts';
import { contentHash, type Root, TreeFollower } from '../scan/index.ts';
import { indexFolder, type StoreSettings } from '../store/index.ts';
import { StructureSearch } from '../structure/index.ts';
import { TextSearch, TrigramIndex } from '../text/index.ts';
import type { TreeChanges } from './parts/codebase-parts.ts';
import { RankedIndex } from './ranked-index.ts';
import { changesOf } from './tree-changes.ts';

/** The settings that apply to every root. */
export interface SharedSettings {
  /**
   * Hosts from which repositories may be fetched for roots that are addresses; `file:` for this machine. None by default.
   */
  readonly allowRemotes?: readonly string[] | undefined;
  readonly embedder?: EmbedderSettings | undefined;
  /** The store for the index of chunks; embedded by default. */
  readonly store?: StoreSettings | undefined;
  /** Programs that find the uses of symbols, by language; none by default. */
  readonly languageServers?: LanguageServerSettings | undefined;
  /** The parent folder of all indexes; in the user's cache by default. */
  readonly cacheFolder?: string | undefined;
  /**
   * `at-once`, the default: the tree is watched and indexed as soon as a client connects. `when-asked`: the first question
   * that needs an index begins it, and also waits for vectors; for a process that answers a single question.
   */
  readonly indexing?: 'at-once' | 'when-asked' | undefined;
  /**
   * What happens to ignored files and to files that look like secrets: `refuse`, the default, or `on-request`: `read_file`
   * returns them if it is called with `ignored: true`; for hosts that ask a person for approval.
   */
  readonly ignored?: 'refuse' | 'on-request' | undefined;
}

export interface OpenRoot {
  /** Empty for a single root. */
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
  /** The processes that read files. */
  readonly pool: ReadingPool;
  /** A problem to report in the state, as a sentence. */
  readonly note?: string | undefined;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long clients wait for the watcher of a large tree before they are served without it. */
const WATCH_PATIENCE_MS = 1000;

export async function openRoot(options: OpenRootOptions): Promise<OpenRoot> {
  const { name, root, settings, pool, note, scope, clock, logger } = options;
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
      ...{ root, tree, folder, rootId: contentHash(root.path), clock, logger, note },
      reader: new FileReader(root, pool),
      embedder: settings.embedder ?? { kind: 'embedded' },
      store: settings.store ?? { kind: 'embedded' },
      indexing: settings.indexing,
    }),
  );
  if (settings.indexing !== 'when-asked') await untilWatched(tree.start(), clock, scope.signal);
  const git = new Git(root.path, clock);
  return { name, root, text, changes, ranked, git, structure, languageServers };
}

function openTrigrams(root: Root, folder: string, logger: Logger): Promise<TrigramIndex> {
  const onFailure = (thrown: unknown): void =>
    logger.log('warn', 'the trigram index was not written', { reason: messageOf(thrown) });
  return TrigramIndex.open({ root, folder: join(folder, 'text'), onFailure });
}

async function untilWatched(tree: TreeFollower, clock: Clock, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const patience = delay(WATCH_PATIENCE_MS, clock, AbortSignal.any([signal, ended.signal]));
  await Promise.race([
    tree.started,
    patience.catch(() => {
      // Aborted: the scope was closed, or the tree has started.
    }),
  ]);
  ended.abort();
}
