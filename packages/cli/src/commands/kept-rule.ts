// Tells where a yes was written down that counts from now on, or why it could not be.

import type { HostEvent } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { writeError } from '../print/error.ts';
import { shortPath } from '../print/place.ts';
import { editError } from './edit.ts';

export function reportKept({ terminal: { err } }: Context, event: HostEvent): void {
  if (event.kind !== 'approval-kept' && event.kind !== 'approval-not-kept') return;
  const { file, problem, tool } = event;
  const from = hostEnvironment();
  if (problem === undefined) {
    err.write(`From now on it runs without a question: ${shortPath(file, from)}\n`);
    return;
  }
  const { message, where, fix } = editError(problem, { name: tool, file, from });
  writeError(err, { kind: problem.kind, message, where, fix }, 'warning');
}
