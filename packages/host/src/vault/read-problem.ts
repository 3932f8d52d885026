// Turns a problem with reading a file of the store into a problem of the store. Pure.

import { err, ok, type Result } from '@plugboard/base';
import type { FileProblem } from '../platform/index.ts';
import type { SecretProblem } from './secret-store.ts';

/** `undefined` if there is no file. */
export function readProblem(problem: FileProblem): Result<undefined, SecretProblem> {
  const where = problem.path;
  switch (problem.kind) {
    case 'missing':
      return ok(undefined);
    case 'folder':
      return err({ kind: 'unreadable', where, code: 'EISDIR' });
    case 'unreadable':
      return err({ kind: 'unreadable', where, code: problem.code });
    case 'too-large':
    case 'not-text':
      return err({ kind: 'damaged', where, names: [] });
    default:
      return problem satisfies never;
  }
}
