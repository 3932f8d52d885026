// A project and a home with many servers in eight files, as people have them: programs and addresses,
// with variables in them, and some named in two files.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface ManyServers {
  /** The working directory: one folder below the top of its project. */
  readonly cwd: string;
  /** What the files hold. */
  readonly texts: readonly string[];
}

/** Every tenth server is in two files. */
const PATCHED = 10;

/** Writes them below `folder`, whose `home` is the user's. */
export function writeManyServers(folder: string, count: number): ManyServers {
  const top = join(folder, `project-${count}`);
  const cwd = join(top, 'app');
  const home = join(folder, 'home');
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
  const texts = files.map((mcpServers) => JSON.stringify({ mcpServers }, null, 2));
  paths.forEach((path, index) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, texts[index]!);
  });
  return { cwd, texts };
}

function entryOf(index: number): object {
  return index % 2 === 0
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
