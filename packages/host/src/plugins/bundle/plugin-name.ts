// How plugins and their servers are called. Names reach file systems, models and command lines, so what
// an author wrote is made plain.

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

/** Under which name a value that must stay secret is kept. Names of plugins hold no dot. */
export function secretName(plugin: string, key: string): string {
  return `plugin.${plugin}.${key}`;
}
