// Opens a session by a plan: prepares, opens, and does both once more where the server refused what it
// was given and something newer may be had. Once, so that a server that refuses everything ends it.

import { err, ok, type Result } from '@plugboard/base';
import { knownRefusal, type Session } from '../protocol/index.ts';
import { concealedFailure, concealingRecorder } from './concealment.ts';
import type { Occasion } from './connection.ts';
import type { LaunchPlan, PrepareReason } from './launch-plan.ts';
import { openRemembering, type OpenLimits, type RememberingPorts } from './open-remembering.ts';
import { isExpiry, renewableSession, signedInSession } from './renewable-session.ts';
import type { ConnectionFailure } from './state.ts';

export interface Planned {
  readonly plan: LaunchPlan;
  readonly fingerprint: string | undefined;
  readonly occasion: Occasion;
}

type Opened = Result<Session, ConnectionFailure>;

export async function openPlanned(
  planned: Planned,
  limits: OpenLimits,
  ports: RememberingPorts,
): Promise<Opened> {
  const { afterRefusal } = planned.plan;
  const first = await openOnce('connect', planned, { limits, ports });
  if (afterRefusal === 'give-up') return first;
  const isRefused = !first.ok && isExpiry(first.error) && !limits.signal.aborted;
  const opened = isRefused ? await openOnce('unauthorized', planned, { limits, ports }) : first;
  return opened.ok && afterRefusal === 'renew' ? ok(renewableSession(opened.value)) : opened;
}

async function openOnce(
  why: PrepareReason,
  { plan, fingerprint, occasion }: Planned,
  { limits, ports }: { readonly limits: OpenLimits; readonly ports: RememberingPorts },
): Promise<Opened> {
  const prepared = await plan.prepare(limits.signal, why);
  if (!prepared.ok) return prepared;
  const { launch, conceal } = prepared.value;
  const refusal = occasion === 'need' ? await knownRefusal(launch) : undefined;
  if (refusal !== undefined) return err(refusal);
  const isAuthorized = 'authorization' in launch && launch.authorization !== undefined;
  const { recorder } = ports;
  const isOpen = conceal === undefined || recorder === undefined;
  const opened = await openRemembering({ launch, fingerprint }, limits, {
    ...ports,
    recorder: isOpen ? recorder : concealingRecorder(recorder, conceal),
  });
  if (opened.ok) return isAuthorized ? ok(signedInSession(opened.value)) : opened;
  return conceal === undefined ? opened : err(concealedFailure(opened.error, conceal));
}
