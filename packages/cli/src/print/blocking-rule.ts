// The rule that blocks a server, in one line: its text and its place.

import type { BlockingRule, PolicyRule } from '@plugboard/host/configuration';
import { clause } from './diagnostics.ts';
import { diagnosticPlace, place, type Standpoint } from './place.ts';
import { quoted, visible } from './visible.ts';

export function blockingRule(reason: BlockingRule, from: Standpoint): string {
  switch (reason.kind) {
    case 'denied':
      return `denied by ${ruleAt(reason.rule, from)}`;
    case 'unclear-url':
      return `its url cannot be read, and there is ${ruleAt(reason.rule, from)}`;
    case 'not-allowed':
      return `not among the servers allowed by ${visible(place(reason.origin, from))}`;
    case 'broken-list': {
      const { list, cause } = reason;
      const effect = list === 'deny' ? 'denies every server' : 'allows no server';
      const where = visible(diagnosticPlace(cause, from));
      return `the ${list} list is broken and ${effect}: ${visible(clause(cause.message))}, ${where}`;
    }
    default:
      return reason satisfies never;
  }
}

function ruleAt(rule: PolicyRule, from: Standpoint): string {
  return `${ruleText(rule)}, ${visible(place(rule.origin, from))}`;
}

function ruleText(rule: PolicyRule): string {
  switch (rule.kind) {
    case 'name':
      return `{ serverName: ${quoted(rule.name)} }`;
    case 'url':
      return `{ serverUrl: ${quoted(rule.pattern)} }`;
    case 'command':
      return `{ serverCommand: [${rule.argv.map(quoted).join(', ')}] }`;
    default:
      return rule satisfies never;
  }
}
