// Opens a session by a plan: prepares and opens it, and does both once more if the server refused the credentials and
// newer ones may be available. Only once, so that it ends even if the server refuses everything.

import { err, type Result } from '@plugboard/base';
import {
  type Era,
  type Establish,
  knownRefusal,
  type Launch,
  type ProtocolFailure,
  type SessionGuard,
} from '../protocol/index.ts';
import { type Conceal, concealed, ConcealingRecorder } from './concealment.ts';
import type { Occasion } from './connection.ts';
import type { LaunchPlan, PrepareReason } from './launch-plan.ts';
import { openRemembering, type OpenLimits, type RememberingPorts } from './open-remembering.ts';
import { endsRenewable, endsSignedIn, isExpiry } from './session-end.ts';
import { SessionSecrets } from './session-secrets.ts';
import type { ConnectionFailure } from './state.ts';

export interface PlannedConnection {
  readonly plan: LaunchPlan;
  readonly fingerprint: string | undefined;
  readonly occasion: Occasion;
}

type OpenResult<S> = Result<S, ConnectionFailure>;

/** What is known of any session. */
interface OpenedSession {
  readonly era: Era;
  readonly closed: Promise<ProtocolFailure>;
}

type Opening<S> = RememberingPorts & { readonly establish: Establish<S> };

export async function openPlanned<S extends OpenedSession>(
  planned: PlannedConnection,
  limits: OpenLimits,
  ports: Opening<S>,
): Promise<OpenResult<S>> {
  const { afterRefusal } = planned.plan;
  const first = await openOnce('connect', planned, { limits, ports });
  if (afterRefusal === 'give-up') return first;
  const isRefused = !first.ok && isExpiry(first.error) && !limits.signal.aborted;
  return isRefused ? openOnce('unauthorized', planned, { limits, ports }) : first;
}

async function openOnce<S extends OpenedSession>(
  why: PrepareReason,
  { plan, fingerprint, occasion }: PlannedConnection,
  { limits, ports }: { readonly limits: OpenLimits; readonly ports: Opening<S> },
): Promise<OpenResult<S>> {
  const prepared = await plan.prepare(limits.signal, why);
  if (!prepared.ok) return prepared;
  const { launch, conceal } = prepared.value;
  const refusal = occasion === 'need' ? await knownRefusal(launch) : undefined;
  if (refusal !== undefined) {
    return err(conceal === undefined ? refusal : concealed(refusal, conceal));
  }
  const isAuthorized = 'authorization' in launch && launch.authorization !== undefined;
  const endAfter: SessionGuard['endAfter'] = (failure) =>
    (plan.afterRefusal === 'renew' ? endsRenewable(failure) : undefined) ??
    (isAuthorized ? endsSignedIn(failure) : undefined);
  return openConcealing({ launch, fingerprint, conceal, endAfter }, limits, ports);
}

interface ConcealedLaunch {
  readonly launch: Launch;
  readonly fingerprint: string | undefined;
  readonly conceal: Conceal | undefined;
  readonly endAfter: SessionGuard['endAfter'];
}

async function openConcealing<S extends OpenedSession>(
  { conceal, endAfter, ...planned }: ConcealedLaunch,
  limits: OpenLimits,
  ports: Opening<S>,
): Promise<OpenResult<S>> {
  const secrets = new SessionSecrets(conceal);
  const recorder =
    ports.recorder === undefined
      ? undefined
      : new ConcealingRecorder(ports.recorder, (text) => secrets.hide(text));
  const guard: SessionGuard = {
    beforeCall: (given) => secrets.learn(given),
    shown: (failure) => concealed(failure, secrets.hide),
    endAfter,
    shownLog: (log) => concealed(log, secrets.hide),
  };
  const opened = await openRemembering(planned, limits, { ...ports, recorder, guard });
  if (!opened.ok) {
    recorder?.flush();
    return err(concealed(opened.error, secrets.hide));
  }
  void opened.value.closed.then(() => recorder?.flush());
  return opened;
}
