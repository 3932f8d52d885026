// Decides whether a resource of a server may be read. Reading needs no approval unless the entry says so: resources
// that are missing in `allowedResources` are denied, and `readPermission` applies. Pure.

import { isUrl } from '@plugboard/base';
import type { Decision } from './decision.ts';
import { compilePattern } from './name-pattern.ts';
import type { Effect, Rule } from './rule.ts';

export interface ResourceSubject {
  readonly server: string;
  readonly uri: string;
}

const STRICTEST_FIRST: readonly Effect[] = ['deny', 'ask', 'allow'];

export function decideResource(resource: ResourceSubject, rules: readonly Rule[]): Decision {
  const fitting = rules.filter((rule) => isAbout(rule, resource));
  const decisive = STRICTEST_FIRST.flatMap((effect) =>
    fitting.filter((rule) => rule.effect === effect),
  )[0];
  return decisive === undefined
    ? { kind: 'allow', because: { kind: 'default', case: 'no-rule' } }
    : { kind: decisive.effect, because: { kind: 'rule', rule: decisive } };
}

function isAbout({ on }: Rule, { server, uri }: ResourceSubject): boolean {
  if (on.kind === 'reads') return on.server === server;
  if (on.kind !== 'other-resources' || on.server !== server) return false;
  const patterns = on.patterns.map(compilePattern);
  return !spellingsOf(uri).every((spelling) => patterns.some((fits) => fits(spelling)));
}

/** As written and as normalised: `file:///a/../b` is not in `file:///a/`. */
function spellingsOf(uri: string): readonly string[] {
  return isUrl(uri) ? [uri, new URL(uri).href] : [uri];
}
