// Finds the editor for a file: the one in VISUAL or EDITOR, otherwise a common one.

import { err, ok, type Result } from '@plugboard/base';
import { findProgram, type HostEnvironment } from '@plugboard/host/configuration';
import { splitWords } from './split-words.ts';

export interface EditorProgram {
  readonly command: string;
  readonly args: readonly string[];
}

const USUAL = ['nano', 'vim', 'vi'];

/** The error says what to set. */
export async function editorFor(
  { env, cwd, platform }: Pick<HostEnvironment, 'env' | 'cwd' | 'platform'>,
  path: string,
): Promise<Result<EditorProgram, string>> {
  const set = [env['VISUAL'], env['EDITOR']].find((value) => (value ?? '').trim() !== '');
  if (set !== undefined) {
    const [command, ...args] = splitWords(set) ?? [];
    return command === undefined
      ? err('VISUAL or EDITOR has a quote that is not closed')
      : ok({ command, args: [...args, path] });
  }
  if (platform === 'win32') return ok({ command: 'notepad.exe', args: [path] });
  for (const command of USUAL) {
    const found = await findProgram({ command, cwd, searched: env['PATH'] ?? '' });
    if (found.kind === 'executable') return ok({ command: found.path, args: [path] });
  }
  return err(`there is no editor: neither VISUAL nor EDITOR is set, and no ${USUAL.join(', ')}`);
}
