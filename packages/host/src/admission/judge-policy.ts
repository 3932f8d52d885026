// Decides whether the policy lists of all sources allow a server. Deny lists are united, every allow list
// must agree, and deny wins; so no list can allow what another one blocks. A broken list blocks every server.

import { groupBy, matchesWildcard } from '@plugboard/base';
import {
  type CanonicalUrl,
  canonicalUrl,
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
import { URL_SCHEMES } from '../platform/index.ts';

export interface JudgedServer {
  readonly name: string;
  /** The name in the file, if `name` was derived from it. A rule may use either. */
  readonly writtenAs?: string | undefined;
  readonly target: EntryTarget;
}

export type PolicyVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'blocked'; readonly rule: BlockingRule };

/** The reason why a server is blocked, with its place. */
export type BlockingRule =
  | { readonly kind: 'denied'; readonly rule: PolicyRule; readonly scope: Scope }
  /** A rule is about addresses, and the address of the server cannot be parsed. */
  | { readonly kind: 'unclear-url'; readonly rule: PolicyRule; readonly scope: Scope }
  | {
      readonly kind: 'broken-list';
      readonly list: PolicyList['kind'];
      readonly cause: Diagnostic;
      readonly scope: Scope;
    }
  /** `origin`: that of the allow list. */
  | { readonly kind: 'not-allowed'; readonly origin: Origin; readonly scope: Scope };

/** The result, including the reason, does not depend on the order of the lists. */
export function judgePolicy(
  { name, writtenAs, target }: JudgedServer,
  lists: readonly PolicyList[],
): PolicyVerdict {
  const aliases = writtenAs === undefined ? [name] : [name, writtenAs];
  const subject = { aliases, target: readTarget(target) };
  const reasons = lists.flatMap((list) => objections(subject, list));
  const rule = reasons.toSorted(compareReasons)[0];
  return rule === undefined ? { kind: 'allowed' } : { kind: 'blocked', rule };
}

interface PolicySubject {
  readonly aliases: readonly string[];
  readonly target: ReadTarget;
}

/** A target that is parsed once for all rules. */
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
  const brokenList: readonly BlockingRule[] =
    broken === undefined ? [] : [{ kind: 'broken-list', list: kind, cause: broken, scope }];
  if (kind === 'deny') return [...denials(server, list), ...brokenList];
  if (brokenList.length > 0) return brokenList;
  return isListed(server, rulesOf(list)) ? [] : [{ kind: 'not-allowed', origin, scope }];
}

function denials({ aliases, target }: PolicySubject, list: PolicyList): readonly BlockingRule[] {
  const { scope } = list;
  const { names, commands, urls } = rulesOf(list);
  const found: BlockingRule[] = [];
  const deny = (rule: PolicyRule): number => found.push({ kind: 'denied', rule, scope });
  for (const name of aliases) names.get(name)?.forEach(deny);
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
 * The author of an entry chooses its name. So a matching name is only enough if the list has no rule about
 * the commands or addresses of such servers.
 */
function isListed(
  { aliases, target }: PolicySubject,
  { names, commands, urls }: ReadRules,
): boolean {
  if (target.kind === 'command' && commands.size > 0) return commands.has(target.key);
  if (target.kind === 'url' && urls.length > 0) {
    return urls.some(({ pattern }) => urlMatch(pattern, target.url) === 'yes');
  }
  return aliases.some((name) => names.has(name));
}

function urlMatch(
  pattern: UrlPattern | undefined,
  url: CanonicalUrl | undefined,
): 'yes' | 'no' | 'unclear' {
  if (pattern === undefined || url === undefined) return 'unclear';
  return matchesUrl(pattern, url) ? 'yes' : 'no';
}

/** The rules of a list, grouped by kind. */
interface ReadRules {
  readonly names: ReadonlyMap<string, readonly PolicyRule[]>;
  /** By `argvKey`. */
  readonly commands: ReadonlyMap<string, readonly PolicyRule[]>;
  readonly urls: readonly {
    readonly rule: PolicyRule;
    /** `undefined` if it is invalid. */
    readonly pattern: UrlPattern | undefined;
  }[];
}

/** A cache, since a thousand servers are compared with the same lists. */
const readLists = new WeakMap<PolicyList, ReadRules>();

function rulesOf(list: PolicyList): ReadRules {
  const known = readLists.get(list) ?? readRules(list.rules);
  readLists.set(list, known);
  return known;
}

function readRules(rules: readonly PolicyRule[]): ReadRules {
  const ofKind = <Kind extends PolicyRule['kind']>(kind: Kind) =>
    rules.filter(
      (rule): rule is Extract<PolicyRule, { readonly kind: Kind }> => rule.kind === kind,
    );
  return {
    names: groupBy(ofKind('name'), ({ name }) => name),
    commands: groupBy(ofKind('command'), ({ argv }) => argvKey(argv)),
    urls: ofKind('url').map((rule) => {
      const pattern = parseUrlPattern(rule.pattern);
      return { rule, pattern: pattern.ok ? pattern.value : undefined };
    }),
  };
}

/** Equal for equal words only. */
function argvKey(argv: readonly string[]): string {
  return JSON.stringify(argv);
}

/** Sorts by the kind of reason, then the strongest source, then the first place. */
function compareReasons(a: BlockingRule, b: BlockingRule): number {
  return (
    KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) ||
    precedence(b.scope) - precedence(a.scope) ||
    compareTexts(placeKey(a), placeKey(b))
  );
}

const KIND_ORDER: readonly BlockingRule['kind'][] = [
  'denied',
  'unclear-url',
  'broken-list',
  'not-allowed',
];

/** Sorts in the order of places, for which numbers are padded. Distinct for different reasons. */
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
 * Compares part by part, never the text as a whole: the text of `https://evil.com/.example.com/` contains
 * everything that a careless pattern matches.
 */
export function matchesUrl(pattern: UrlPattern, url: CanonicalUrl): boolean {
  return (
    pattern.schemes.includes(url.scheme) &&
    matchesWildcard(pattern.host, url.host) &&
    matchesWildcard(pattern.port ?? URL_SCHEMES[url.scheme].defaultPort, url.port) &&
    matchesWildcard(pattern.path ?? '*', url.path) &&
    matchesWildcard(pattern.query ?? '*', url.query)
  );
}
