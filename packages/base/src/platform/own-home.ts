// The home folder of this user. `HOME` may be empty or relative, and would then mean the folder that a command runs in, whose
// files would count as the user's own.

import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

export function ownHome(): string {
  const given = homedir();
  return isAbsolute(given) ? given : userInfo().homedir;
}
