// Distributes the changes of the tree: updates the trigram index, drops stored results, and notifies sessions. If the system
// cannot watch the tree, text search still works by reading all files.

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
  const notify = (): void => {
    text.forget();
    changes.emit();
  };
  const subscription = tree.follow({
    async onListing(files) {
      // Without a watcher, an index of this listing would hide later changes.
      if (tree.isWatching) await trigrams.update(files);
    },
    onChange(changed, removed) {
      trigrams.tell(changed, removed);
      notify();
    },
    onDoubt() {
      trigrams.doubt();
      notify();
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
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}
