// The path of the ripgrep executable, in the package for this platform.

import { CodedError } from '@plugboard/base';

export async function ripgrepProgram(): Promise<string> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch (cause) {
    throw new CodedError(
      'ripgrep-missing',
      'the program of ripgrep is not installed; fix: install again with optional dependencies',
      { data: undefined, cause },
    );
  }
}
