// Decides about calls by all rules together. A denial from any source wins. Otherwise the strongest source with
// a matching rule decides; within it, asking wins over allowing, unless the rule that allows names this one tool and the
// rule that asks is about many tools. Rules that may have come with a project can only narrow. The order of the rules has no
// effect. Pure.

import { matchesWildcard } from '@plugboard/base';
import { compileRule, type CompiledRule } from './compile-rule.ts';
import type { Decision, Explanation, Ground, Mode, RuleMatch, StatedMode } from './decision.ts';
import { decideResource, type ResourceSubject } from './resource.ts';
import type { PathStyle } from './path-under.ts';
import type { Effect, Rule } from './rule.ts';
import type { CallSubject, ServerStanding } from './subject.ts';
import { namesOf, type ToolNames } from './tool-pattern.ts';

export interface PolicyParts {
  readonly rules: readonly Rule[];
  readonly servers: readonly ServerStanding[];
  /** The modes that sources state; without any, the mode is `default`. */
  readonly modes?: readonly StatedMode[];
  /** What happens to tools of trusted servers that claim to be read-only, without a rule. */
  readonly readOnlyTools?: 'allow' | 'ask';
  readonly paths?: PathStyle;
}

/** The rules about one server, with denials separate. Each list begins with the strongest rule. */
interface Candidates {
  readonly denials: readonly CompiledRule[];
  readonly others: readonly CompiledRule[];
}

/** The maximum number of cached tools per server, since a server can rename its tools endlessly. */
const MAX_KNOWN = 20_000;

export class Policy {
  readonly #parts: PolicyParts;
  readonly #rules: readonly CompiledRule[];
  readonly #servers: ReadonlyMap<string, ServerStanding>;
  readonly #modes: Modes;
  /** The rules that match a tool by name, which are found once for each tool. */
  readonly #known = new Map<string, Map<string, KnownCandidates>>();
  readonly #perServer = new Map<string, readonly CompiledRule[]>();

  constructor(parts: PolicyParts) {
    this.#parts = parts;
    const { rules, servers, paths: style = 'posix' } = parts;
    this.#rules = rules
      .map((rule) => compileRule(rule, { servers, style }))
      .toSorted((a, b) => compareRules(a.rule, b.rule));
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    this.#modes = modesOf(parts.modes ?? []);
  }

  decide(given: CallSubject): Decision {
    const call = this.#withFolder(given);
    return this.#decideBy(this.#candidates(call), call);
  }

  /** The same policy with more rules. */
  with(rules: readonly Rule[]): Policy {
    return rules.length === 0
      ? this
      : new Policy({ ...this.#parts, rules: [...this.#parts.rules, ...rules] });
  }

  /** The decision with one more rule, as if it were in the settings. */
  decideWith(rule: Rule, given: CallSubject): Decision {
    const call = this.#withFolder(given);
    const { servers, paths: style = 'posix' } = this.#parts;
    const more = compileRule(rule, { servers, style });
    const { denials, others } = this.#candidates(call);
    if (!more.fitsNames(this.#namesOf(call))) return this.#decideBy({ denials, others }, call);
    const all = [...denials, ...others, more].toSorted((a, b) => compareRules(a.rule, b.rule));
    return this.#decideBy(split(all), call);
  }

  explain(given: CallSubject): Explanation {
    const call = this.#withFolder(given);
    const decision = this.decide(call);
    const { denials, others } = this.#candidates(call);
    const because = decision.because.kind === 'mode' ? decision.because.instead : decision.because;
    const deciding = because?.kind === 'rule' ? because.rule : undefined;
    const names = this.#namesOf(call);
    const powerless = this.#rules.filter(
      ({ rule, fitsNames }) => isPowerless(rule) && fitsNames(names),
    );
    const matches = [...denials, ...others, ...powerless]
      .filter(({ fitsCall }) => fitsCall(call))
      .map(({ rule }): RuleMatch => {
        if (isPowerless(rule)) return { rule, part: 'powerless' };
        return { rule, part: rule === deciding ? 'decides' : 'overruled' };
      });
    return { decision, matches };
  }

  /** The paths in the arguments whose targets matter to a rule. Usually none. */
  pathsIn(given: CallSubject): readonly string[] {
    const call = this.#withFolder(given);
    const { looksAtPaths, denials, others } = this.#candidates(call);
    if (!looksAtPaths) return NO_PATHS;
    const tested = [...denials, ...others].flatMap((rule) => rule.arguments ?? []);
    return [...new Set(tested.flatMap((test) => test.pathsIn(call)))];
  }

  /** Whether a resource may be read. */
  decideResource(resource: ResourceSubject): Decision {
    return decideResource(
      resource,
      this.#rules.map(({ rule }) => rule),
    );
  }

  #decideBy({ denials, others }: Candidates, call: CallSubject): Decision {
    const denial = denials.find(({ fitsCall }) => fitsCall(call));
    if (denial !== undefined) return by(denial);
    const { readOnly, denyAsks } = this.#modes;
    if (readOnly !== undefined && !call.claims.isReadOnly) {
      return { kind: 'deny', because: { kind: 'mode', stated: readOnly } };
    }
    const decision = this.#decideByRules(others, call) ?? this.#decideWithoutRule(call);
    if (decision.kind !== 'ask' || denyAsks === undefined) return decision;
    const because: Ground = { kind: 'mode', stated: denyAsks, instead: decision.because };
    return { kind: 'deny', because };
  }

  #decideByRules(others: readonly CompiledRule[], call: CallSubject): Decision | undefined {
    let asks: CompiledRule | undefined;
    let allows: CompiledRule | undefined;
    let strength: number | undefined;
    for (const one of others) {
      if (strength !== undefined && one.rule.strength < strength) break;
      if (!one.fitsCall(call)) continue;
      strength = one.rule.strength;
      if (one.rule.effect === 'ask') {
        // A rule about particular calls of a tool takes precedence over one about many tools.
        if (asks === undefined || (asks.aim === 'many' && one.aim !== 'many')) asks = one;
      } else if (allows === undefined || one.aim === 'one-tool') {
        allows = one;
      }
    }
    if (asks !== undefined && allows !== undefined) {
      return by(asks.aim === 'many' && allows.aim === 'one-tool' ? allows : asks);
    }
    const deciding = asks ?? allows;
    return deciding === undefined ? undefined : by(deciding);
  }

  #decideWithoutRule({ server, tool, claims, arguments: given }: CallSubject): Decision {
    const standing = this.#servers.get(server);
    const isBuiltIn = standing?.unasked.some((pattern) => matchesWildcard(pattern, tool)) === true;
    if (isBuiltIn && given[IGNORED] !== true) return ALLOW_BUILT_IN;
    const isReadable = claims.isReadOnly && standing?.isTrusted === true && !isBuiltIn;
    if (isReadable && this.#parts.readOnlyTools === 'allow') return ALLOW_READ_ONLY;
    const { allowAll } = this.#modes;
    if (allowAll !== undefined) {
      return { kind: 'allow', because: { kind: 'mode', stated: allowAll } };
    }
    return isBuiltIn ? ASK_IGNORED : ASK;
  }

  #withFolder(call: CallSubject): CallSubject {
    const folder = this.#servers.get(call.server)?.folder;
    return folder === undefined || call.folder !== undefined ? call : { ...call, folder };
  }

  #namesOf(call: CallSubject): ToolNames {
    return namesOf(call, this.#servers.get(call.server)?.prefix ?? '');
  }

  /** The rules that can match tools of a server. */
  #rulesFor(server: string): readonly CompiledRule[] {
    const known = this.#perServer.get(server);
    if (known !== undefined) return known;
    const standing = this.#servers.get(server);
    const found = this.#rules.filter(
      ({ rule, mayMean }) => !isPowerless(rule) && (standing === undefined || mayMean(standing)),
    );
    // Nothing is cached for unconfigured servers, of which there may be any number.
    if (standing !== undefined) this.#perServer.set(server, found);
    return found;
  }

  #candidates(call: CallSubject): KnownCandidates {
    const { server, tool, name } = call;
    const ofServer = this.#known.get(server) ?? new Map<string, KnownCandidates>();
    const known = ofServer.get(tool);
    if (known?.name === name) return known;
    const names = this.#namesOf(call);
    const fitting = this.#rulesFor(server).filter((one) => one.fitsNames(names));
    const looksAtPaths = fitting.some((one) => one.arguments?.isAboutPaths === true);
    const found = { name, looksAtPaths, ...split(fitting) };
    if (ofServer.size >= MAX_KNOWN) ofServer.clear();
    this.#known.set(server, ofServer.set(tool, found));
    return found;
  }
}

interface KnownCandidates extends Candidates {
  /** The model name for which the rules were found; it may change. */
  readonly name: string;
  /** Whether the targets of paths matter to any of the rules. */
  readonly looksAtPaths: boolean;
}

const NO_PATHS: readonly string[] = [];
const ASK: Decision = { kind: 'ask', because: { kind: 'default', case: 'no-rule' } };
const ASK_IGNORED: Decision = { kind: 'ask', because: { kind: 'default', case: 'ignored-file' } };
/** With this argument a built-in server also returns ignored files, and files that look like secrets. */
const IGNORED = 'ignored';
const ALLOW_BUILT_IN: Decision = { kind: 'allow', because: { kind: 'default', case: 'built-in' } };
const ALLOW_READ_ONLY: Decision = {
  kind: 'allow',
  because: { kind: 'default', case: 'read-only' },
};

function by({ rule }: CompiledRule): Decision {
  return { kind: rule.effect, because: { kind: 'rule', rule } };
}

/** A rule from a file that may have come with a project cannot allow. */
function isPowerless({ effect, isOwn }: Rule): boolean {
  return effect === 'allow' && !isOwn;
}

function split(rules: readonly CompiledRule[]): Candidates {
  if (rules.length === 0) return NO_RULES;
  return {
    denials: rules.filter(({ rule }) => rule.effect === 'deny'),
    others: rules.filter(({ rule }) => rule.effect !== 'deny'),
  };
}

const NO_RULES: Candidates = { denials: [], others: [] };

interface Modes {
  readonly readOnly: StatedMode | undefined;
  readonly denyAsks: StatedMode | undefined;
  readonly allowAll: StatedMode | undefined;
}

/** Narrowing modes count from every source; `allow-all` counts only from the strongest source that may state it. */
function modesOf(stated: readonly StatedMode[]): Modes {
  const ordered = stated.toSorted((a, b) => b.strength - a.strength || compareOrigins(a, b));
  const first = (mode: Mode): StatedMode | undefined => ordered.find((one) => one.mode === mode);
  const own = ordered.filter(({ isOwn }) => isOwn);
  const strongest = own.filter(({ strength }) => strength === own[0]?.strength);
  return {
    readOnly: first('read-only'),
    denyAsks: first('deny-asks'),
    allowAll: strongest.every(({ mode }) => mode === 'allow-all') ? strongest[0] : undefined,
  };
}

const STRICTEST_FIRST: readonly Effect[] = ['deny', 'ask', 'allow'];

/** Strongest first; the further criteria only decide which of several rules is named. */
function compareRules(a: Rule, b: Rule): number {
  return (
    b.strength - a.strength ||
    STRICTEST_FIRST.indexOf(a.effect) - STRICTEST_FIRST.indexOf(b.effect) ||
    compareOrigins(a, b) ||
    compareTexts(a.text, b.text)
  );
}

function compareOrigins({ origin: a }: Pick<Rule, 'origin'>, { origin: b }: Pick<Rule, 'origin'>) {
  if (a.kind !== 'file' || b.kind !== 'file') return compareTexts(a.kind, b.kind);
  return compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
