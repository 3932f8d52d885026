// Opens the real parts of a codebase and closes them in order: the tree, text search with its index, the chunker, and
// ranked search with its own.

import { join } from 'node:path';
import {
  type Clock,
  CodedError,
  delay,
  type Logger,
  messageOf,
  Scope,
  Semaphore,
} from '@plugboard/base';
import { Chunker } from '../chunk/index.ts';
import type { EmbedderSettings } from '../embed/index.ts';
import { Git } from '../history/index.ts';
import { LanguageServers, type LanguageServerSettings } from '../language-server/index.ts';
import { userCacheFolder } from '../platform/index.ts';
import { contentHash, Root, TreeFollower } from '../scan/index.ts';
import { indexFolder, type StoreSettings } from '../store/index.ts';
import { StructureSearch } from '../structure/index.ts';
import { TextSearch, TrigramIndex } from '../text/index.ts';
import type { CodebaseParts } from './parts/codebase-parts.ts';
import { RankedIndex } from './ranked-index.ts';
import { changesOf } from './tree-changes.ts';

export interface CodebaseSettings {
  /** The folder to serve. */
  readonly root: string;
  readonly embedder?: EmbedderSettings | undefined;
  /** Where the index of chunks is; embedded unless told. */
  readonly store?: StoreSettings | undefined;
  /** Programs that are started to be asked who uses a symbol, by language; none unless told. */
  readonly languageServers?: LanguageServerSettings | undefined;
  /** Where indexes are kept; under the user's cache unless told. */
  readonly cacheFolder?: string | undefined;
  /**
   * `at-once`, the default: the tree is watched and indexed as soon as a client connects. `when-asked`: by the first
   * question that needs an index, which waits for vectors as well; for a process that lives for one question.
   */
  readonly indexing?: 'at-once' | 'when-asked' | undefined;
  /**
   * What happens to files that ignore files leave out, and to those that look like secrets. `refuse`, unless told.
   * `on-request`: `read_file` gives them where it is called with `ignored: true`; for hosts that ask a person about that.
   */
  readonly ignored?: 'refuse' | 'on-request' | undefined;
}

export interface OpenParts extends AsyncDisposable {
  readonly parts: CodebaseParts;
}

/** Each search is a ripgrep that takes all cores by itself. */
const MOST_CALLS = 8;
/** How long clients wait for a large tree to be watched before they are served without. */
const WATCH_PATIENCE_MS = 1000;

/** Throws a `CodedError` where the root cannot be served. */
export async function openParts(
  settings: CodebaseSettings,
  ports: { readonly clock: Clock; readonly logger: Logger },
): Promise<OpenParts> {
  const { clock, logger } = ports;
  const opened = await Root.open(settings.root);
  if (!opened.ok) {
    const message = `there is no folder ${JSON.stringify(settings.root)} to serve`;
    throw new CodedError('root-gone', message, { data: { root: settings.root } });
  }
  const root = opened.value;
  const scope = new Scope();
  try {
    const folder = indexFolder(settings.cacheFolder ?? userCacheFolder(), root.path);
    const trigrams = scope.use(await openTrigrams(root, folder, logger));
    const text = new TextSearch({ root, clock, index: trigrams });
    const chunker = new Chunker({ clock });
    scope.defer(() => chunker.close());
    const structure = new StructureSearch(root, clock);
    scope.defer(() => structure.close());
    const languageServers = scope.use(
      new LanguageServers(root.path, settings.languageServers ?? {}, clock),
    );
    const tree = scope.use(new TreeFollower(root, clock));
    const changes = scope.use(changesOf({ tree, trigrams, text, logger }));
    const ranked = scope.use(
      new RankedIndex({
        ...{ root, tree, folder, rootId: contentHash(root.path), clock, logger },
        embedder: settings.embedder ?? { kind: 'embedded' },
        store: settings.store ?? { kind: 'embedded' },
        indexing: settings.indexing,
      }),
    );
    if (settings.indexing !== 'when-asked') await watched(tree.start(), clock, scope.signal);
    return {
      parts: {
        root,
        text,
        chunker,
        changes,
        ignored: settings.ignored ?? 'refuse',
        turns: new Semaphore(MOST_CALLS),
        clock,
        logger,
        search: ranked,
        symbols: ranked,
        git: new Git(root.path, clock),
        structure,
        languageServers,
        index: ranked,
        status: ranked,
      },
      [Symbol.asyncDispose]: () => scope[Symbol.asyncDispose](),
    };
  } catch (thrown) {
    await scope[Symbol.asyncDispose]();
    throw thrown;
  }
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
