// Tells whether tests that need a program of the system can run here. In CI, no test is skipped silently: .ci/run
// installs the programs, and lists those that it could not install.

import { spawnSync } from 'node:child_process';
import { CodedError } from '@plugboard/base';

export function isMissing(program: string): boolean {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0) return false;
  const { CI, PLUGBOARD_NOT_INSTALLED = '' } = process.env;
  if (CI === undefined || PLUGBOARD_NOT_INSTALLED.split(' ').includes(program)) return true;
  throw new CodedError(
    'program-missing',
    `${program} is not installed, and where CI is set its tests are not left out`,
    { data: { program } },
  );
}
