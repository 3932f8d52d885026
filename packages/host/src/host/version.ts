// How we introduce ourselves to servers. A test holds the version equal to package.json's.

import type { ServerIdentity } from '../protocol/index.ts';

export const HOST_IDENTITY: ServerIdentity = { name: 'plugboard', version: '0.1.0' };
