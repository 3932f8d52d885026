// A folder of its own for the commands that are measured, with a home and a configuration that hold
// nothing but what the benchmark wrote, so that what a developer has configured plays no part.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Sandbox extends Disposable {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A server as `.mcp.json` writes it. */
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
