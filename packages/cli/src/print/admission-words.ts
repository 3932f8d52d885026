// The reason why a server may not be used, in one line.

import type { AdmittedServer } from '@plugboard/host/configuration';
import { blockingRule } from './blocking-rule.ts';
import type { Standpoint } from './place.ts';

export function admissionWords(
  name: string,
  admission: AdmittedServer['admission'],
  from: Standpoint,
): string | undefined {
  switch (admission.kind) {
    case 'admitted':
      return undefined;
    case 'blocked':
      return `${blockingRule(admission.rule, from)} (${admission.rule.scope})`;
    case 'suppressed':
      return `suppressed by "${admission.by}", which runs or reaches the same`;
    case 'untrusted':
      return admission.standing.kind === 'changed'
        ? `changed since you trusted it; look at it again: plugboard trust ${name}`
        : `it came with this folder or a plugin and starts once you trust it: plugboard trust ${name}`;
    default:
      return admission satisfies never;
  }
}
