// What it takes to reach one server, with nothing left to look up: variables expanded, paths
// absolute, headers final.

import type { InProcessServer } from './in-process.ts';

export type EraPreference = 'auto' | 'legacy' | 'modern';

export type Launch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** The whole environment of the process. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
      readonly era: EraPreference;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly era: EraPreference;
    }
  | { readonly kind: 'in-process'; readonly server: InProcessServer };
