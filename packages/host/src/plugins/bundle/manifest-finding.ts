// A problem with a part of a plugin's files, identified by its path. The code that reads the file adds the position.

export type JsonPath = readonly (string | number)[];

export interface PluginFinding {
  readonly severity: 'error' | 'warning';
  readonly code:
    | 'wrong-type'
    | 'bad-value'
    | 'bad-name'
    | 'plugin-manifest'
    | 'plugin-platform'
    | 'plugin-not-configured';
  readonly path: JsonPath;
  readonly on: 'key' | 'value';
  readonly message: string;
  readonly suggestion: string;
}

/** For problems that only the author of a bundle can solve. */
const ASK_THE_AUTHOR = 'Get another version of the bundle, or tell its author.';

export function manifestFinding(
  code: PluginFinding['code'],
  path: JsonPath,
  message: string,
): PluginFinding {
  return { severity: 'error', code, path, on: 'value', message, suggestion: ASK_THE_AUTHOR };
}
