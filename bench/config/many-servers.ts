// Generates a project and a home with many servers in eight files, as people have them: programs and addresses with
// variables, some in two files; and the lists of the machine's owner.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface ManyServers {
  /** The working directory: one folder below the top of its project. */
  readonly cwd: string;
  /** The machine owner's file with the lists of what is allowed and what is denied. */
  readonly policy: string;
  /** How many servers there are, and how many of them the lists deny. */
  readonly servers: number;
  readonly denied: number;
  /** What the files with the servers hold. */
  readonly texts: readonly string[];
}

/** Every tenth server is in two files. */
const PATCHED = 10;
const RULES = 200;
/** How many rules match existing servers. */
const DENIED = 10;

/** Writes them below `folder`, whose `home` is the user's. */
export function writeManyServers(folder: string, count: number): ManyServers {
  const top = join(folder, `project-${count}`);
  const cwd = join(top, 'app');
  const home = join(folder, 'home');
  const policy = join(folder, 'owner/managed-settings.json');
  mkdirSync(join(top, '.git'), { recursive: true });
  const paths = [
    join(cwd, '.plugboard/settings.local.json'),
    join(cwd, '.claude/settings.local.json'),
    join(cwd, '.mcp.json'),
    join(cwd, '.plugboard/settings.json'),
    join(cwd, '.claude/settings.json'),
    join(top, '.mcp.json'),
    join(home, 'config/plugboard/settings.json'),
    join(home, '.claude/settings.json'),
  ];
  const files = paths.map((): Record<string, object> => ({}));
  for (let index = 0; index < count; index += 1) {
    const places = index % PATCHED === 0 ? [index, index + 1] : [index];
    for (const place of places) files[place % files.length]![`server-${index}`] = entryOf(index);
  }
  const texts = files.map((mcpServers) => write({ mcpServers }));
  paths.forEach((path, index) => put(path, texts[index]!));
  put(policy, write(policyFor(count)));
  return { cwd, policy, servers: count, denied: DENIED, texts };
}

function isProgram(index: number): boolean {
  return index % 2 === 0;
}

function entryOf(index: number): object {
  return isProgram(index)
    ? {
        command: 'npx',
        args: ['-y', `some-server-${index}`, '--root', '${HOME}/work'],
        env: { TOKEN: '${TOKEN:-none}', LEVEL: 'info' },
        timeout: 30_000,
      }
    : {
        type: 'http',
        url: `https://server-${index}.example.com/mcp`,
        headers: { Authorization: 'Bearer ${TOKEN:-none}' },
        tools: { exclude: ['delete_*'] },
      };
}

/** Rules for every program and address, and a long list of denied ones. */
function policyFor(count: number): object {
  const names = Array.from({ length: count }, (_, index) => index)
    .filter(isProgram)
    .map((index) => ({ serverName: `server-${index}` }));
  const denied = Array.from({ length: RULES }, (_, index): object => {
    if (index < DENIED) return { serverUrl: `https://server-${2 * index + 1}.example.com/*` };
    switch (index % 3) {
      case 0:
        return { serverName: `unwanted-${index}` };
      case 1:
        return { serverCommand: ['npx', '-y', `unwanted-${index}`] };
      default:
        return { serverUrl: `https://*.unwanted-${index}.example.com/*` };
    }
  });
  return {
    allowedMcpServers: [{ serverUrl: 'https://*.example.com/*' }, ...names],
    deniedMcpServers: denied,
  };
}

function write(settings: object): string {
  return JSON.stringify(settings, null, 2);
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
