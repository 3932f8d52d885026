// Warns once per run that accepted definitions could not be stored, so that later changes of tools go unnoticed.

import { shortageFix } from '@plugboard/base';
import type { Host, HostEvent } from '@plugboard/host';
import type { HostEnvironment } from '@plugboard/host/configuration';
import type { Output } from '../terminal.ts';
import { writeError } from './error.ts';
import { shortPath } from './place.ts';

type NotKept = HostEvent & { readonly kind: 'pins-not-kept' };

export function pinsNotKept(
  { server, file, code }: NotKept,
  from: HostEnvironment,
): { readonly text: string; readonly fix: string } {
  return {
    text: `what "${server}" lists was accepted for this run alone, since ${shortPath(file, from)} cannot be written (${code}): if its tools change, you will not hear of it`,
    fix: shortageFix(code) ?? 'make that folder writable, or set XDG_STATE_HOME to one that is',
  };
}

export function watchPins(err: Output, host: Host, from: HostEnvironment): Disposable {
  let hasWarned = false;
  return host.on((event) => {
    if (event.kind !== 'pins-not-kept' || hasWarned) return;
    hasWarned = true;
    const { text, fix } = pinsNotKept(event, from);
    writeError(err, { kind: event.kind, message: text, fix }, 'warning');
  });
}
