// An object of settings as it is written, and where its parts are. The caller that reads a setting from it
// decides what the setting means.

import type { Node } from 'jsonc-parser';
import type { Position } from './diagnostic.ts';

export interface SettingsText {
  readonly root: Node;
  readonly at: (offset: number) => Position;
}
