// Reads one configuration file. Every failure is a diagnostic that names the file; a missing file is not a problem.

import { type FileProblem, readTextFile } from '../../platform/index.ts';
import type { ConfigFile, Diagnostic } from '../text/index.ts';
import { type ParsedFile, parseFile } from './parse-file.ts';

/** Far above any settings file, far below what would make a command slow. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

export type ReadFile = ParsedFile | { readonly state: 'missing' };

export async function readConfigFile(file: ConfigFile): Promise<ReadFile> {
  const read = await readTextFile(file.path, { maxBytes: MAX_FILE_BYTES });
  if (read.ok) return parseFile({ path: file.path, format: file.format, text: read.value });
  if (read.error.kind === 'missing') return { state: 'missing' };
  const cause = fileDiagnostic(read.error);
  return { state: 'invalid', servers: [], diagnostics: [cause], cause };
}

export function fileDiagnostic(problem: FileProblem): Diagnostic {
  return {
    severity: 'error',
    ...describe(problem),
    file: problem.path,
    line: 1,
    column: 1,
  };
}

const OUT_OF_FILES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);

function describe(problem: FileProblem): Pick<Diagnostic, 'code' | 'message' | 'suggestion'> {
  switch (problem.kind) {
    case 'missing':
      return {
        code: 'file-unreadable',
        message: 'The file does not exist.',
        suggestion: 'Check the path.',
      };
    case 'folder':
      return {
        code: 'file-is-folder',
        message: 'This is a folder, not a file.',
        suggestion: 'Remove or rename the folder, then write the settings into a file.',
      };
    case 'unreadable':
      return {
        code: 'file-unreadable',
        message: `The file cannot be read (${problem.code}).`,
        suggestion: OUT_OF_FILES.has(problem.code)
          ? 'Too many files are open: end other programs, or allow more of them (ulimit -n 4096).'
          : 'Check that it is a file which you may read.',
      };
    case 'too-large':
      return {
        code: 'file-too-large',
        message: `The file is too large (${megabytes(problem.bytes)}, at most ${megabytes(problem.limit)}).`,
        suggestion: 'Check that this is the right file; keep only the settings in it.',
      };
    case 'not-text':
      return {
        code: 'file-not-text',
        message: 'The file is not UTF-8 text.',
        suggestion: 'Save it again with the encoding UTF-8.',
      };
    default:
      return problem satisfies never;
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
