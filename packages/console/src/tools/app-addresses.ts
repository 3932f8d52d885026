// The addresses that an app says it needs to reach, as a person lets it reach them: those that are shown and no others. Pure.

import type { Json, JsonObject } from '@plugboard/base';

export interface AppAddresses {
  readonly shown: readonly string[];
  /** What the app says, without all else. */
  readonly csp: JsonObject;
}

/** As many as a user will read. */
const MOST = 20;
/** The kinds that the policy of the frame knows. */
const KINDS = ['connectDomains', 'resourceDomains', 'frameDomains'];

export function appAddresses(csp: JsonObject): AppAddresses {
  const all = KINDS.flatMap((kind) => textsIn(csp[kind]));
  const shown = [...new Set(all)].slice(0, MOST);
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
