// Explains why the command that prints a server's headers failed. Shows its stderr, and never its stdout, which contains the
// credentials.

import type { HelperFault } from '@plugboard/host';
import type { ServerProblem } from './error.ts';
import { exitWords, shownLines } from './process-evidence.ts';
import { duration } from './times.ts';

const ENTRY = '"headersHelper" in its entry';
const LIKE = 'it must print an object of texts, like {"Authorization": "Bearer …"}';

export function helperWords(fault: HelperFault): ServerProblem {
  const details = 'stderr' in fault ? shownLines(fault.stderr) : [];
  return { ...explain(fault), ...(details.length === 0 ? {} : { details }) };
}

function explain(fault: HelperFault): ServerProblem {
  switch (fault.kind) {
    case 'bad-command':
      return {
        message: `has a command for its headers that ${SPLIT[fault.problem.kind]}`,
        fix: splitFix(fault),
      };
    case 'not-started':
      return {
        message: `needs headers, and the command for them ${START[fault.failure.kind]}`,
        fix: `correct ${ENTRY}`,
      };
    case 'exited':
      return {
        message: `needs headers, and the command for them ended ${exitWords(fault.exit)}`,
        fix: `run that command yourself and fix what it complains about, or correct ${ENTRY}`,
      };
    case 'timeout':
      return {
        message: `needs headers, and the command for them did not end within ${duration(fault.ms)}`,
        fix: 'run that command yourself to see what it waits for: it has no input here',
      };
    case 'too-large':
      return {
        message: `needs headers, and the command for them printed more than ${fault.limit} bytes`,
        fix: `correct ${ENTRY}: ${LIKE}`,
      };
    case 'bad-output':
      return {
        message: `needs headers, and what the command for them printed ${OUTPUT[fault.problem]}`,
        fix: `correct ${ENTRY}: ${LIKE}`,
      };
    default:
      return fault satisfies never;
  }
}

type Fault<Kind extends HelperFault['kind']> = Extract<HelperFault, { readonly kind: Kind }>;

const SPLIT: Readonly<Record<Fault<'bad-command'>['problem']['kind'], string>> = {
  'needs-shell': 'only a shell could run',
  'open-quote': 'has a quote without its end',
  'open-escape': 'ends in a backslash',
  empty: 'is empty',
};

function splitFix({ problem }: Fault<'bad-command'>): string {
  return problem.kind === 'needs-shell'
    ? `quote the ${shownCharacter(problem.character)} in ${ENTRY}, or let a shell run it: sh -c '…'`
    : `correct ${ENTRY}`;
}

function shownCharacter(character: string): string {
  return character.trim() === '' ? 'line break' : character;
}

const START: Readonly<Record<Fault<'not-started'>['failure']['kind'], string>> = {
  'command-not-found': 'is not installed',
  'not-executable': 'is not a program that may be run',
  'bad-cwd': 'has no folder to run in',
  'spawn-failed': 'could not be started',
};

const OUTPUT: Readonly<Record<Fault<'bad-output'>['problem'], string>> = {
  'not-json': 'is not JSON',
  'not-an-object': 'is not an object',
  'bad-name': 'has a name that no HTTP header can have',
  'not-text': 'has a header whose value is not text',
  'bad-value': 'has a header with a line break or a NUL in it',
};
