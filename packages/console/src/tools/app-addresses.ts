// The addresses that an app requests to reach. The user can allow the ones that are shown, and no others. Pure.

import type { Json, JsonObject } from '@plugboard/base';

export interface AppAddresses {
  readonly shown: readonly string[];
  /** The app's policy, reduced to the shown addresses. */
  readonly csp: JsonObject;
}

/** No more than a user will read. */
const MOST_SHOWN = 20;
/** The kinds that the policy of the frame supports. */
const KINDS = ['connectDomains', 'resourceDomains', 'frameDomains'];

export function appAddresses(csp: JsonObject): AppAddresses {
  const all = KINDS.flatMap((kind) => textsIn(csp[kind]));
  const shown = [...new Set(all)].slice(0, MOST_SHOWN);
  const kept = KINDS.map((kind) => [
    kind,
    textsIn(csp[kind]).filter((each) => shown.includes(each)),
  ]);
  return { shown, csp: Object.fromEntries(kept) as JsonObject };
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value)
    ? (value as readonly Json[]).filter((each) => typeof each === 'string')
    : [];
}
