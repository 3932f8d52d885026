// How files of the tree are opened: for reading, without following a link as the last step and without waiting for
// a pipe's other end. Windows knows none of the two.

import { constants } from 'node:fs';

const IS_WINDOWS = process.platform === 'win32';

export const OPEN_FILE =
  constants.O_RDONLY | (IS_WINDOWS ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK);
export const OPEN_FOLDER = OPEN_FILE | (IS_WINDOWS ? 0 : constants.O_DIRECTORY);
