// The names of plugins and their servers. Names are used in file systems, by models and on command lines, so they are
// reduced to plain characters.

const MAX_LENGTH = 64;

/** The name in plain characters; `undefined` if none of it is usable. */
export function plainName(written: unknown): string | undefined {
  if (typeof written !== 'string') return undefined;
  const plain = written
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^[-_]+|[-_]+$/g, '');
  return plain === '' ? undefined : plain;
}

export function pluginServerName(plugin: string, server: string): string {
  return `plugin:${plugin}:${server}`;
}

/** The name under which a sensitive answer is stored. Names of plugins contain no dot. */
export function secretName(plugin: string, key: string): string {
  return `plugin.${plugin}.${key}`;
}
