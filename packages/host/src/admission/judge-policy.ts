// Whether the policy lists of all sources together let a server be used. Deny lists unite, every allow
// list must agree, and deny wins; so no list, wherever it comes from, can let through what another one
// keeps out. A list that cannot be believed lets nothing through.

import {
  type CanonicalUrl,
  canonicalUrl,
  type Diagnostic,
  givenPosition,
  type Origin,
  parseUrlPattern,
  type PolicyList,
  type PolicyRule,
  type Position,
  precedence,
  type Scope,
  type UrlPattern,
} from '../config/index.ts';
import type { LaunchTarget } from './launch-target.ts';
import { matchesUrl } from './match-url.ts';

export interface JudgedServer {
  readonly name: string;
  readonly target: LaunchTarget;
}

export type PolicyVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'blocked'; readonly rule: BlockingRule };

/** Why a server is kept out, with the place that says so. */
export type BlockingRule =
  | { readonly kind: 'denied'; readonly rule: PolicyRule; readonly scope: Scope }
  /** There is a rule about addresses, and the server's own cannot be read. */
  | { readonly kind: 'unclear-url'; readonly rule: PolicyRule; readonly scope: Scope }
  | {
      readonly kind: 'broken-list';
      readonly list: PolicyList['kind'];
      readonly cause: Diagnostic;
      readonly scope: Scope;
    }
  /** `origin` is the allow list's. */
  | { readonly kind: 'not-allowed'; readonly origin: Origin; readonly scope: Scope };

/** The order of the lists changes nothing, not even which of several reasons is given. */
export function judgePolicy(
  { name, target }: JudgedServer,
  lists: readonly PolicyList[],
): PolicyVerdict {
  const subject = { name, target: readTarget(target) };
  const [rule] = lists.flatMap((list) => objections(subject, list)).toSorted(compareReasons);
  return rule === undefined ? { kind: 'allowed' } : { kind: 'blocked', rule };
}

interface Subject {
  readonly name: string;
  readonly target: ReadTarget;
}

/** A target that was read once, for all rules. */
type ReadTarget =
  | Exclude<LaunchTarget, { readonly kind: 'url' }>
  | { readonly kind: 'url'; readonly url: CanonicalUrl | undefined };

function readTarget(target: LaunchTarget): ReadTarget {
  return target.kind === 'url' ? { kind: 'url', url: canonicalUrl(target.url) } : target;
}

function objections(server: Subject, list: PolicyList): readonly BlockingRule[] {
  const { kind, scope, origin, rules, broken } = list;
  const distrust: readonly BlockingRule[] =
    broken === undefined ? [] : [{ kind: 'broken-list', list: kind, cause: broken, scope }];
  if (kind === 'deny')
    return [...rules.flatMap((rule) => denial(server, rule, scope)), ...distrust];
  if (distrust.length > 0) return distrust;
  return isAmong(server, rules) ? [] : [{ kind: 'not-allowed', origin, scope }];
}

type Match = 'yes' | 'no' | 'unclear';

function denial({ name, target }: Subject, rule: PolicyRule, scope: Scope): BlockingRule[] {
  const match = rule.kind === 'name' ? nameMatch(rule.name, name) : targetMatch(rule, target);
  if (match === 'no') return [];
  return [{ kind: match === 'yes' ? 'denied' : 'unclear-url', rule, scope }];
}

/**
 * Whoever writes an entry picks its name. So a name is only enough where the list has no rule about
 * what servers of this kind run or reach.
 */
function isAmong({ name, target }: Subject, rules: readonly PolicyRule[]): boolean {
  const aboutTarget = rules.filter((rule) => rule.kind === target.kind);
  if (aboutTarget.length > 0)
    return aboutTarget.some((rule) => targetMatch(rule, target) === 'yes');
  return rules.some((rule) => rule.kind === 'name' && nameMatch(rule.name, name) === 'yes');
}

function nameMatch(wanted: string, name: string): Match {
  return wanted === name ? 'yes' : 'no';
}

function targetMatch(rule: PolicyRule, target: ReadTarget): Match {
  if (rule.kind === 'command' && target.kind === 'command') {
    const { argv } = target;
    const isSame =
      rule.argv.length === argv.length && rule.argv.every((word, index) => word === argv[index]);
    return isSame ? 'yes' : 'no';
  }
  if (rule.kind !== 'url' || target.kind !== 'url') return 'no';
  const pattern = patternOf(rule);
  if (pattern === undefined || target.url === undefined) return 'unclear';
  return matchesUrl(pattern, target.url) ? 'yes' : 'no';
}

/** A thousand servers are held against the same rules. */
const patterns = new WeakMap<PolicyRule, UrlPattern | undefined>();

function patternOf(rule: PolicyRule & { readonly kind: 'url' }): UrlPattern | undefined {
  if (patterns.has(rule)) return patterns.get(rule);
  const parsed = parseUrlPattern(rule.pattern);
  const pattern = parsed.ok ? parsed.value : undefined;
  patterns.set(rule, pattern);
  return pattern;
}

/** The plainest reason first, then the strongest source, then the first place. */
function compareReasons(a: BlockingRule, b: BlockingRule): number {
  return (
    PLAINNESS.indexOf(a.kind) - PLAINNESS.indexOf(b.kind) ||
    precedence(b.scope) - precedence(a.scope) ||
    compareTexts(placeKey(a), placeKey(b))
  );
}

const PLAINNESS: readonly BlockingRule['kind'][] = [
  'denied',
  'unclear-url',
  'broken-list',
  'not-allowed',
];

/** Sorts as the places are read; numbers are padded for that. Differs for different reasons. */
function placeKey(reason: BlockingRule): string {
  const { file, line, column } = placeOf(reason);
  const numbers = [line, column].map((number) => String(number).padStart(10, '0'));
  return JSON.stringify([file, ...numbers, reason]);
}

function placeOf(reason: BlockingRule): Position {
  if (reason.kind === 'broken-list') return reason.cause;
  const { origin } = reason.kind === 'not-allowed' ? reason : reason.rule;
  return origin.kind === 'file' ? origin : givenPosition(origin.by);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
