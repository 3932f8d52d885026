// The placeholders of VS Code and of editors that are based on it, such as `${env:NAME}`, `${workspaceFolder}` and
// `${userHome}`. https://code.visualstudio.com/docs/reference/variables-reference

import { posix, win32 } from 'node:path';
import type { ImportContext } from './foreign-host.ts';
import { type Dialect, type Meaning, secretName, variable } from './variables.ts';

/** `more`: the additional placeholders of a host. */
export function editorVariables(
  surroundings: ImportContext,
  more: (body: string) => Meaning = () => ({ kind: 'unknown' }),
): Dialect {
  return {
    pattern: /\$\{([^{}]*)\}/g,
    meaning: ([, body = '']) => commonMeaning(body, surroundings) ?? more(body),
  };
}

/** For hosts that also accept names of variables without `env:`. */
export function bareVariable(body: string): Meaning {
  const [name = '', ...fallback] = body.split(':-');
  return variable(name, fallback.length === 0 ? undefined : fallback.join(':-'));
}

/** `${file:path}`: the content of a file, usually a secret. */
export function fileContent(path: string): Meaning {
  return { kind: 'secret', name: secretName(path.split(/[\\/]/).at(-1) ?? path) };
}

function commonMeaning(body: string, surroundings: ImportContext): Meaning | undefined {
  const { platform, project } = surroundings;
  const paths = platform === 'win32' ? win32 : posix;
  if (body.startsWith('env:')) return variable(body.slice('env:'.length));
  switch (body) {
    case 'userHome':
      return { kind: 'variable', name: platform === 'win32' ? 'USERPROFILE' : 'HOME' };
    case 'workspaceFolder':
    case 'workspaceRoot':
      return { kind: 'value', text: project };
    case 'workspaceFolderBasename':
      return { kind: 'value', text: paths.basename(project) };
    case 'pathSeparator':
    case '/':
      return { kind: 'constant', text: paths.sep };
    default:
      return undefined;
  }
}
