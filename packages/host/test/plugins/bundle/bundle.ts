// The manifest of a valid bundle, which tests change.

export function manifestOf(changes: object = {}): Record<string, unknown> {
  return {
    manifest_version: '0.3',
    name: 'files',
    version: '1.2.0',
    description: 'Reads files',
    author: { name: 'somebody' },
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: { command: 'node', args: ['${__dirname}/server/index.js'] },
    },
    ...changes,
  };
}

/** A manifest that runs `command` with the given fields. */
export function runs(config: object, user_config: object = {}): Record<string, unknown> {
  const mcp_config = { command: 'node', ...config };
  return manifestOf({ server: { type: 'node', entry_point: 'x', mcp_config }, user_config });
}
