// rooms.json as a value, for checks of the repository.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rooms } from '../oxlint-plugin-rooms/verdict.js';
import { repositoryRoot } from './files.ts';

export const rooms: Rooms = JSON.parse(
  readFileSync(join(repositoryRoot, 'rooms.json'), 'utf8'),
) as Rooms;
