// A folder for the measured commands, with a home and a configuration that only the benchmark writes, so that the developer's
// configuration has no effect.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Sandbox extends Disposable {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** An entry of `.mcp.json`. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly shared?: boolean;
}

export function sandbox(servers: Readonly<Record<string, ServerEntry>>): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-bench-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(configFile(folder), JSON.stringify({ mcpServers: servers }, null, 2));
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: tmpdir(),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  return {
    folder,
    env,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function configFile(folder: string): string {
  return join(folder, '.mcp.json');
}
