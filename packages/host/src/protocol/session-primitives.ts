// What a session has beside tools, put together over one client.

import type { Clock } from '@plugboard/base';
import { completeOver, promptPort, resourcePort, type Wire } from './client-primitives.ts';
import { skillPort } from './client-skills.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { Era } from './neutral/model.ts';
import type { RequestOptions } from './neutral/primitives.ts';
import type { Session } from './neutral/session.ts';
import { ResourceWatches } from './resource-watches.ts';
import type { SessionClient } from './session-client.ts';

export interface PrimitivePorts extends Wire {
  readonly client: SessionClient;
  readonly clock: Clock;
  /** Aborts when the session ends. */
  readonly ending: AbortSignal;
  era(): Era;
  failureOf(thrown: unknown, options: RequestOptions): ProtocolFailure;
}

export type SessionPrimitives = Pick<Session, 'resources' | 'prompts' | 'skills' | 'complete'>;

export function sessionPrimitives(wire: PrimitivePorts): SessionPrimitives {
  const watches = new ResourceWatches({
    ...wire,
    listen: (filter, options) => wire.client.listen(filter, options),
    onUpdated: (tell) =>
      wire.client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        tell(params.uri),
      ),
  });
  return {
    resources: resourcePort(wire, (...wanted) => watches.watch(...wanted)),
    prompts: promptPort(wire),
    skills: skillPort(wire),
    complete: (request, options) => completeOver(wire, request, options),
  };
}
