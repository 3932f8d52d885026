// Compiles a rule for matching many calls.

import { compilePattern } from './name-pattern.ts';
import type { PathStyle } from './path-under.ts';
import { type ArgumentTest, compilePredicates } from './predicate.ts';
import type { AnnotationPattern, Rule } from './rule.ts';
import type { CallSubject, ServerStanding, ToolClaims } from './subject.ts';
import { compileToolPattern, type ToolNames } from './tool-pattern.ts';

export interface CompiledRule {
  readonly rule: Rule;
  /** False if no call to the server can match. */
  readonly mayMean: (server: ServerStanding) => boolean;
  /** Whether the names match. */
  readonly fitsNames: (names: ToolNames) => boolean;
  /** Whether the arguments and annotations match, which may differ between calls. */
  readonly fitsCall: (call: CallSubject) => boolean;
  readonly arguments: ArgumentTest | undefined;
  /** Whether the rule is about one tool, about particular calls, or about many tools. */
  readonly aim: 'one-tool' | 'some-calls' | 'many';
}

export interface RuleContext {
  readonly servers: readonly ServerStanding[];
  readonly style: PathStyle;
}

export function compileRule(rule: Rule, { servers, style }: RuleContext): CompiledRule {
  const { on, effect } = rule;
  switch (on.kind) {
    case 'calls': {
      const names = compileToolPattern(on, effect, servers);
      const test = compilePredicates(on.arguments ?? [], effect, style);
      const claims = claimsTest(on.annotations);
      const isPlain = test === undefined && claims === undefined;
      return {
        rule,
        mayMean: names.mayMean,
        fitsNames: names.fits,
        fitsCall: (call) => (claims?.(call.claims) ?? true) && (test?.fits(call) ?? true),
        arguments: test,
        aim: isPlain ? (names.isExact ? 'one-tool' : 'many') : 'some-calls',
      };
    }
    case 'other-tools': {
      const patterns = on.patterns.map(compilePattern);
      return {
        ...ofServer(rule, on.server),
        fitsNames: ({ server, tool }) =>
          server === on.server && !patterns.some((fits) => fits(tool)),
      };
    }
    case 'reads':
      return { ...ofServer(rule, on.server), fitsCall: ({ claims }) => claims.isReadOnly };
    case 'writes':
      return { ...ofServer(rule, on.server), fitsCall: ({ claims }) => !claims.isReadOnly };
    case 'other-resources':
      return { ...ofServer(rule, on.server), mayMean: never, fitsNames: never };
    case 'unclear':
      return effect === 'allow'
        ? { ...ofAll(rule), mayMean: never, fitsNames: never }
        : { ...ofAll(rule), aim: 'some-calls' };
    default:
      return on satisfies never;
  }
}

const never = (): boolean => false;
const always = (): boolean => true;

function ofAll(rule: Rule): CompiledRule {
  return {
    rule,
    mayMean: always,
    fitsNames: always,
    fitsCall: always,
    arguments: undefined,
    aim: 'many',
  };
}

function ofServer(rule: Rule, name: string): CompiledRule {
  return {
    ...ofAll(rule),
    mayMean: (server) => server.name === name,
    fitsNames: ({ server }) => server === name,
  };
}

function claimsTest(
  wanted: AnnotationPattern | undefined,
): ((claims: ToolClaims) => boolean) | undefined {
  if (wanted === undefined) return undefined;
  const { readOnly, destructive, idempotent, openWorld } = wanted;
  const agrees = (expected: boolean | undefined, claimed: boolean): boolean =>
    expected === undefined || expected === claimed;
  return ({ isReadOnly, isDestructive, isIdempotent, isOpenWorld }) =>
    agrees(readOnly, isReadOnly) &&
    agrees(destructive, isDestructive) &&
    agrees(idempotent, isIdempotent) &&
    agrees(openWorld, isOpenWorld);
}
