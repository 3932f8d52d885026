// A browser that only records the addresses that it should open.

import { chmod, readFile } from 'node:fs/promises';
import { waitUntil } from '@plugboard/testkit';
import type { Sandbox } from '../sandbox.ts';

export interface WritingBrowser {
  readonly env: Readonly<Record<string, string>>;
  /** Resolves with the first recorded address. */
  opened(): Promise<string>;
}

export async function browserIn(box: Pick<Sandbox, 'write' | 'home'>): Promise<WritingBrowser> {
  const file = `${box.home}/opened`;
  const program = await box.write('../home/browser', `#!/bin/sh\necho "$@" >> "${file}"\n`);
  await chmod(program, 0o755);
  return {
    env: { BROWSER: program },
    opened: () =>
      waitUntil(
        async () => {
          const text = await readFile(file, 'utf8').catch(() => '');
          return text.endsWith('\n') ? text.split('\n', 1)[0] : undefined;
        },
        { describe: 'the browser to be told an address' },
      ),
  };
}
