// Whether the policy lists of all sources together let a server be used. Deny lists unite, every allow
// list must agree, and deny wins; so no list, wherever it comes from, can let through what another one
// keeps out. A list that cannot be believed lets nothing through.

import { matchesWildcard } from '@plugboard/base';
import {
  type CanonicalUrl,
  canonicalUrl,
  DEFAULT_PORTS,
  type Diagnostic,
  type EntryTarget,
  type Origin,
  originPosition,
  parseUrlPattern,
  type PolicyList,
  type PolicyRule,
  type Position,
  precedence,
  type Scope,
  type UrlPattern,
} from '../config/index.ts';

export interface JudgedServer {
  readonly name: string;
  /** The name that is in its file, where the other one was made. A rule may mean either. */
  readonly writtenAs?: string | undefined;
  readonly target: EntryTarget;
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
  { name, writtenAs, target }: JudgedServer,
  lists: readonly PolicyList[],
): PolicyVerdict {
  const called = writtenAs === undefined ? [name] : [name, writtenAs];
  const subject = { called, target: readTarget(target) };
  const reasons = lists.flatMap((list) => objections(subject, list));
  const rule = reasons.toSorted(compareReasons)[0];
  return rule === undefined ? { kind: 'allowed' } : { kind: 'blocked', rule };
}

interface PolicySubject {
  readonly called: readonly string[];
  readonly target: ReadTarget;
}

/** A target that was read once, for all rules. */
type ReadTarget =
  | { readonly kind: 'command'; readonly key: string }
  | { readonly kind: 'url'; readonly url: CanonicalUrl | undefined }
  | { readonly kind: 'none' };

function readTarget(target: EntryTarget): ReadTarget {
  if (target.kind === 'url') return { kind: 'url', url: canonicalUrl(target.url) };
  return target.kind === 'command' ? { kind: 'command', key: argvKey(target.argv) } : target;
}

function objections(server: PolicySubject, list: PolicyList): readonly BlockingRule[] {
  const { kind, scope, origin, broken } = list;
  const distrust: readonly BlockingRule[] =
    broken === undefined ? [] : [{ kind: 'broken-list', list: kind, cause: broken, scope }];
  if (kind === 'deny') return [...denials(server, list), ...distrust];
  if (distrust.length > 0) return distrust;
  return isAmong(server, rulesOf(list)) ? [] : [{ kind: 'not-allowed', origin, scope }];
}

function denials({ called, target }: PolicySubject, list: PolicyList): readonly BlockingRule[] {
  const { scope } = list;
  const { names, commands, urls } = rulesOf(list);
  const found: BlockingRule[] = [];
  const deny = (rule: PolicyRule): number => found.push({ kind: 'denied', rule, scope });
  for (const name of called) names.get(name)?.forEach(deny);
  if (target.kind === 'command') commands.get(target.key)?.forEach(deny);
  if (target.kind !== 'url') return found;
  urls.forEach(({ rule, pattern }) => {
    const match = urlMatch(pattern, target.url);
    if (match === 'yes') deny(rule);
    if (match === 'unclear') found.push({ kind: 'unclear-url', rule, scope });
  });
  return found;
}

/**
 * The author of an entry chooses its name. So a name is only enough if the list has no rule about what
 * servers of this kind run or reach.
 */
function isAmong({ called, target }: PolicySubject, { names, commands, urls }: ReadRules): boolean {
  if (target.kind === 'command' && commands.size > 0) return commands.has(target.key);
  if (target.kind === 'url' && urls.length > 0) {
    return urls.some(({ pattern }) => urlMatch(pattern, target.url) === 'yes');
  }
  return called.some((name) => names.has(name));
}

function urlMatch(
  pattern: UrlPattern | undefined,
  url: CanonicalUrl | undefined,
): 'yes' | 'no' | 'unclear' {
  if (pattern === undefined || url === undefined) return 'unclear';
  return matchesUrl(pattern, url) ? 'yes' : 'no';
}

/** The rules of a list, by what they are about. */
interface ReadRules {
  readonly names: ReadonlyMap<string, readonly PolicyRule[]>;
  /** By `argvKey`. */
  readonly commands: ReadonlyMap<string, readonly PolicyRule[]>;
  readonly urls: readonly {
    readonly rule: PolicyRule;
    /** Absent where it cannot be read. */
    readonly pattern: UrlPattern | undefined;
  }[];
}

/** A thousand servers are held against the same lists. */
const readLists = new WeakMap<PolicyList, ReadRules>();

function rulesOf(list: PolicyList): ReadRules {
  const known = readLists.get(list) ?? readRules(list.rules);
  readLists.set(list, known);
  return known;
}

function readRules(rules: readonly PolicyRule[]): ReadRules {
  const names = new Map<string, PolicyRule[]>();
  const commands = new Map<string, PolicyRule[]>();
  const urls: ReadRules['urls'][number][] = [];
  for (const rule of rules) {
    if (rule.kind === 'url') {
      const pattern = parseUrlPattern(rule.pattern);
      urls.push({ rule, pattern: pattern.ok ? pattern.value : undefined });
    } else if (rule.kind === 'name') {
      addTo(names, rule.name, rule);
    } else {
      addTo(commands, argvKey(rule.argv), rule);
    }
  }
  return { names, commands, urls };
}

function addTo(rules: Map<string, PolicyRule[]>, key: string, rule: PolicyRule): void {
  const same = rules.get(key);
  if (same === undefined) rules.set(key, [rule]);
  else same.push(rule);
}

/** The same for the same words, and for no others. */
function argvKey(argv: readonly string[]): string {
  return JSON.stringify(argv);
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
  const { file, line, column } = rulePosition(reason);
  const numbers = [line, column].map((number) => String(number).padStart(10, '0'));
  return JSON.stringify([file, ...numbers, reason]);
}

function rulePosition(reason: BlockingRule): Position {
  if (reason.kind === 'broken-list') return reason.cause;
  const { origin } = reason.kind === 'not-allowed' ? reason : reason.rule;
  return originPosition(origin);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Piece by piece, and never on the text as a whole: the text of `https://evil.com/.example.com/` holds everything that a
 * careless pattern looks for.
 */
export function matchesUrl(pattern: UrlPattern, url: CanonicalUrl): boolean {
  return (
    pattern.schemes.includes(url.scheme) &&
    matchesWildcard(pattern.host, url.host) &&
    matchesWildcard(pattern.port ?? DEFAULT_PORTS[url.scheme], url.port) &&
    matchesWildcard(pattern.path ?? '*', url.path) &&
    matchesWildcard(pattern.query ?? '*', url.query)
  );
}
