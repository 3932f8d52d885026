// VS Code. Its `mcp.json` also declares questions to the user: passwords become secrets, other answers become
// variables.
// https://code.visualstudio.com/docs/copilot/reference/mcp-configuration

import { isObject } from '@plugboard/base';
import { translateFields } from './draft.ts';
import { editorVariables } from './editor-variables.ts';
import type { ForeignHost } from './foreign-host.ts';
import { join, projectFile, userFile, vscodeFolders } from './locations.ts';
import { ignored, leftOut, LOCAL, path, REMOTE, type } from './rules.ts';
import { type Meaning, secretName, variable, variableName } from './variables.ts';

export const vscode: ForeignHost = {
  id: 'vscode',
  title: 'VS Code',
  files: (where) => [
    projectFile(where, '.vscode', 'mcp.json'),
    ...vscodeFolders(where).map((folder) => userFile(join(where, folder, 'mcp.json'))),
  ],
  serverMaps: () => [['servers']],
  translate: ({ value, setting }, surroundings) =>
    translateFields({
      value,
      rules: RULES,
      dialect: editorVariables(surroundings, (body) => inputMeaning(body, setting('inputs'))),
      surroundings,
    }),
};

const RULES = {
  ...LOCAL,
  ...REMOTE,
  // A URL is tried as HTTP and then as SSE, as in our entries without a type.
  type: type({ stdio: undefined, http: undefined, sse: 'sse' }),
  envFile: path('envFile'),
  dev: leftOut('no-counterpart'),
  sandbox: leftOut('no-counterpart'),
  sandboxEnabled: leftOut('no-counterpart'),
  oauth: leftOut('no-counterpart'),
  // Metadata of the gallery.
  gallery: ignored,
  version: ignored,
};

/** `${input:id}`. An input without a description may be a password. */
function inputMeaning(body: string, inputs: unknown): Meaning {
  if (!body.startsWith('input:')) return { kind: 'unknown' };
  const id = body.slice('input:'.length);
  const described: unknown = Array.isArray(inputs)
    ? inputs.find((candidate: unknown) => isObject(candidate) && candidate['id'] === id)
    : undefined;
  if (!isObject(described) || described['password'] === true) {
    return { kind: 'secret', name: secretName(id) };
  }
  const name = variableName(id);
  const fallback = described['default'];
  const isValid = typeof fallback === 'string' && variable(name, fallback).kind === 'variable';
  return { kind: 'asked-for', variable: name, ...(isValid ? { fallback } : {}) };
}
