// Combines a session's ports for resources, prompts, skills and completions over one client.

import type { Clock } from '@plugboard/base';
import { completeOver, promptPort, resourcePort } from './client-primitives.ts';
import { skillPort, type SkillWire } from './client-skills.ts';
import type { Era } from './neutral/model.ts';
import type { Session } from './neutral/session.ts';
import { ResourceWatches } from './resource-watches.ts';

export interface PrimitivePorts extends SkillWire {
  readonly clock: Clock;
  /** Aborts when the session ends. */
  readonly ending: AbortSignal;
  era(): Era;
}

export function sessionPrimitives(
  wire: PrimitivePorts,
): Pick<Session, 'resources' | 'prompts' | 'skills' | 'complete'> {
  const watches = new ResourceWatches({
    ...wire,
    listen: (filter, options) => wire.client.listen(filter, options),
    onUpdated: (listener) =>
      wire.client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        listener(params.uri),
      ),
  });
  return {
    resources: resourcePort(wire, (...args) => watches.watch(...args)),
    prompts: promptPort(wire),
    skills: skillPort(wire),
    complete: (request, options) => completeOver(wire, request, options),
  };
}
