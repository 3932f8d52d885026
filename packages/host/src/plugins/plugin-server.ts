// Describes exactly what a server of a plugin would run or reach, for a person who decides whether to install
// it. Only the names of variables and headers are included, not their values.

import { isObject } from '@plugboard/base';
import type { WrittenServer } from '../config/index.ts';

export interface PluginServer {
  readonly name: string;
  /** The command and its arguments as written. */
  readonly command: readonly string[] | undefined;
  readonly url: string | undefined;
  /** The names of variables. */
  readonly variables: readonly string[];
  readonly headers: readonly string[];
}

export function pluginServer({ name, value }: WrittenServer): PluginServer {
  const written = isObject(value) ? value : {};
  const { command, args, url, env, headers } = written;
  const words = Array.isArray(args) ? args.filter(isText) : [];
  return {
    name,
    command: isText(command) ? [command, ...words] : undefined,
    url: isText(url) ? url : undefined,
    variables: isObject(env) ? Object.keys(env) : [],
    headers: isObject(headers) ? Object.keys(headers) : [],
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
