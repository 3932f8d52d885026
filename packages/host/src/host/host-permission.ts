// Creates the call permission of a host, and lets the same hooks review the answers to questions of servers.

import { type Emitter, err, ok } from '@plugboard/base';
import { CallPermission } from './call-permission.ts';
import type { HostParts } from './host-parts.ts';
import type { HostEvent } from './host-surface.ts';

export function hostPermission(parts: HostParts, events: Emitter<HostEvent>): CallPermission {
  const { loaded, approve, approveRead, approvals, inbound } = parts;
  const permission = new CallPermission(loaded.calls, { approve, approveRead, approvals, events });
  inbound.questions.attach({
    async review(answered, signal) {
      // The current hooks: the configuration may have changed since the server was connected.
      const ran = await permission.hooks.elicitationResult(answered, signal);
      if (ran.kind === 'blocked') return err(ran.by.reason);
      return ok(ran.kind === 'passed' ? ran.value : { kind: 'cancel' });
    },
    onDeclined: (declined) => events.emit({ kind: 'question-declined', ...declined }),
  });
  return permission;
}
