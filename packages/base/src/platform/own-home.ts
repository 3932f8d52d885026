// The home folder of this user. An empty or relative `HOME` is ignored: it would mean the current folder, whose files
// would count as the user's own.

import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

export function ownHome(): string {
  const given = homedir();
  return isAbsolute(given) ? given : userInfo().homedir;
}
