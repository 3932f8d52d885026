// An object of settings as it is written, and where its parts are. Whoever reads a setting out of it
// decides what it means.

import type { Node } from 'jsonc-parser';
import type { Position } from './diagnostic.ts';

export interface SettingsText {
  readonly root: Node;
  readonly at: (offset: number) => Position;
}
