// The name and version that servers receive. A test compares the version with package.json.

import type { ServerIdentity } from '../protocol/index.ts';

export const HOST_IDENTITY: ServerIdentity = { name: 'plugboard', version: '0.1.0' };
