// Passes on what the tree's follower reports: keeps the trigram index in step with every change, drops stored answers,
// and notifies sessions. If the system cannot watch, text search still works, by reading everything.

import { Emitter, type Logger, messageOf } from '@plugboard/base';
import type { TreeFollower } from '../scan/index.ts';
import type { TextSearch, TrigramIndex } from '../text/index.ts';
import type { TreeChanges } from './parts/codebase-parts.ts';

export interface ChangeParts {
  readonly tree: TreeFollower;
  readonly trigrams: TrigramIndex;
  readonly text: Pick<TextSearch, 'forget'>;
  readonly logger: Logger;
}

export function changesOf(parts: ChangeParts): TreeChanges & Disposable {
  const { tree, trigrams, text, logger } = parts;
  const changes = new Emitter<void>((thrown) =>
    logger.log('warn', 'a listener failed', { reason: messageOf(thrown) }),
  );
  const tell = (): void => {
    text.forget();
    changes.emit();
  };
  const following = tree.follow({
    async onListing(files) {
      // A listing that no watcher keeps up to date would hide later changes.
      if (tree.isWatching) await trigrams.update(files);
    },
    onChange(changed, removed) {
      trigrams.tell(changed, removed);
      tell();
    },
    onDoubt() {
      trigrams.doubt();
      tell();
    },
    onState(state) {
      if (state.kind === 'listing') trigrams.listingBegins();
      if (state.kind !== 'unwatched') return;
      const { reason } = state;
      logger.log('warn', 'the tree cannot be watched; searches read all files', { reason });
    },
  });
  return {
    get isWatching() {
      return tree.isWatching;
    },
    on: (listener) => changes.on(listener),
    [Symbol.dispose]: () => following[Symbol.dispose](),
  };
}
