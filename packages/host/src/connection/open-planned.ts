// Opens a session by its plan: prepares and opens it, and does both once more if the server refused the credentials
// and newer ones may be available. It repeats this only once, in case the server refuses everything.

import { err, type Result } from '@plugboard/base';
import {
  type Era,
  knownRefusal,
  type ProtocolFailure,
  type RequestOptions,
  type SessionGuard,
} from '../protocol/index.ts';
import { concealIn, ConcealingRecorder } from './concealment.ts';
import type { LaunchPlan } from './launch-plan.ts';
import { openRemembering, type RememberingPorts } from './open-remembering.ts';
import { renewableEnd, signedOutEnd, isExpiry } from './session-end.ts';
import { SessionSecrets } from './session-secrets.ts';
import type { ConnectionFailure } from './state.ts';
import type { Occasion } from './transition.ts';

export interface PlannedConnection {
  readonly plan: LaunchPlan;
  readonly fingerprint: string | undefined;
  readonly occasion: Occasion;
}

type OpenResult<S> = Result<S, ConnectionFailure>;

/** What sessions and relays have in common. */
interface OpenedSession {
  readonly era: Era;
  readonly closed: Promise<ProtocolFailure>;
}

export async function openPlanned<S extends OpenedSession>(
  planned: PlannedConnection,
  limits: RequestOptions,
  ports: RememberingPorts<S>,
): Promise<OpenResult<S>> {
  const first = await openOnce(planned, limits, ports);
  if (first.ok || planned.plan.afterRefusal === 'give-up') return first;
  const isRefused = isExpiry(first.error) && !limits.signal.aborted;
  return isRefused ? openOnce(planned, limits, ports) : first;
}

async function openOnce<S extends OpenedSession>(
  { plan, fingerprint, occasion }: PlannedConnection,
  limits: RequestOptions,
  ports: RememberingPorts<S>,
): Promise<OpenResult<S>> {
  const prepared = await plan.prepare(limits.signal);
  if (!prepared.ok) return prepared;
  const { launch, conceal } = prepared.value;
  const refusal = occasion === 'need' ? await knownRefusal(launch) : undefined;
  if (refusal !== undefined) {
    return err(conceal === undefined ? refusal : concealIn(refusal, conceal));
  }
  const isAuthorized = 'authorization' in launch && launch.authorization !== undefined;
  const secrets = new SessionSecrets(conceal);
  const recorder =
    ports.recorder === undefined
      ? undefined
      : new ConcealingRecorder(ports.recorder, (text) => secrets.hide(text));
  const guard: SessionGuard = {
    beforeCall: (given) => secrets.learn(given),
    shown: (failure) => concealIn(failure, secrets.hide),
    endAfter: (failure) =>
      (plan.afterRefusal === 'renew' ? renewableEnd(failure) : undefined) ??
      (isAuthorized ? signedOutEnd(failure) : undefined),
    shownLog: (log) => concealIn(log, secrets.hide),
  };
  const remembered = { launch, fingerprint };
  const opened = await openRemembering(remembered, limits, { ...ports, recorder, guard });
  if (!opened.ok) {
    recorder?.flush();
    return err(concealIn(opened.error, secrets.hide));
  }
  void opened.value.closed.then(() => recorder?.flush());
  return opened;
}
