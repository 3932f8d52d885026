// Watches the file with the token of a running gateway, so that a new token is valid without a restart. While the file is
// missing or unusable, the previous token stays valid.

import { resolve } from 'node:path';
import type { Logger } from '@plugboard/base';
import { keptSecret, watchFiles } from '@plugboard/host/configuration';
import { isToken } from './gateway-token.ts';

export interface TokenWatchOptions {
  readonly file: string;
  /** The current token. */
  readonly token: string;
  readonly logger: Logger;
  readonly onToken: (token: string) => void;
}

export function watchToken({ file, token, logger, onToken }: TokenWatchOptions): Disposable {
  let current = token;
  const look = async (): Promise<void> => {
    const read = await keptSecret(file);
    if (!read.ok || !isToken(read.value)) {
      const reason = read.ok ? 'no header can carry it, or it is too short' : read.error.kind;
      logger.log('warn', 'the token of before counts, since its file cannot be used', {
        file,
        reason,
      });
    } else if (read.value !== current) {
      current = read.value;
      logger.log('info', 'the token has changed, and the one of before is refused', { file });
      onToken(current);
    }
  };
  const watch = watchFiles([resolve(file)], { onChange: () => void look(), logger });
  void watch.ready.then(look);
  return watch;
}
