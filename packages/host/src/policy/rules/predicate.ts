// What a rule says about the arguments of a call. A condition is met, not met, or cannot be told: to
// allow, all must be met; to deny or to ask, none may be unmet. So whatever is missing or of an odd type
// never opens a door and never closes one by accident. Pure.

import { isObject, type Json, type JsonObject } from '@plugboard/base';
import {
  type ArgumentPath,
  isSingle,
  parseArgumentPath,
  valueAt,
  valuesAt,
} from './argument-path.ts';
import { compilePattern } from './name-pattern.ts';
import { beyondPattern, hasShellWords, isForShell } from './one-command.ts';
import {
  completePath,
  isUnder,
  type PathStyle,
  type RealPaths,
  type Verdict,
} from './path-under.ts';
import type { Effect, Predicate } from './rule.ts';

export interface ArgumentTest {
  /** Whether the rule is about a call with these arguments. */
  fits(given: JsonObject, real: RealPaths | undefined): boolean;
  /** Whether it matters to it where paths lead. */
  readonly isAboutPaths: boolean;
  /** The paths in the arguments of which it matters where they really lead. */
  pathsIn(given: JsonObject): readonly string[];
}

/** The test of all conditions of one rule together. */
export function compilePredicates(
  predicates: readonly Predicate[],
  effect: Effect,
  style: PathStyle,
): ArgumentTest | undefined {
  if (predicates.length === 0) return undefined;
  const isAllow = effect === 'allow';
  const tests = predicates.map((predicate) => {
    const test = compilePredicate(predicate, style);
    return isAllow ? { ...test, judge: oneCommand(test, predicate) } : test;
  });
  const isMet = (verdict: Verdict): boolean => (isAllow ? verdict === 'yes' : verdict !== 'no');
  const isMetBy = (
    { path, isOne, judge }: PredicateTest,
    given: JsonObject,
    real: RealPaths | undefined,
  ): boolean => {
    if (isOne) return isMet(judge(valueAt(given, path), real));
    const verdicts = valuesAt(given, path).map((value) => judge(value, real));
    return isAllow ? verdicts.every(isMet) : verdicts.some(isMet);
  };
  return {
    isAboutPaths: tests.some((test) => test.isAboutPaths),
    fits(given, real) {
      // Every call is held against every rule about its arguments: nothing is made for each.
      for (const test of tests) if (!isMetBy(test, given, real)) return false;
      return true;
    },
    pathsIn: (given) =>
      tests
        .filter(({ isAboutPaths }) => isAboutPaths)
        .flatMap(({ path }) => valuesAt(given, path))
        .flatMap((value) => (typeof value === 'string' ? (completePath(value, style) ?? []) : [])),
  };
}

interface PredicateTest {
  readonly path: ArgumentPath;
  /** The path leads to one value at most. */
  readonly isOne: boolean;
  readonly isAboutPaths: boolean;
  readonly judge: Judge;
}

type Judge = (value: Json | undefined, real: RealPaths | undefined) => Verdict;

function compilePredicate(predicate: Predicate, style: PathStyle): PredicateTest {
  const judge = judgeOf(predicate, style);
  const path = parseArgumentPath(predicate.path);
  return {
    path,
    isOne: isSingle(path),
    isAboutPaths: predicate.operator === 'under',
    judge: predicate.isNegated ? negated(judge) : whereGiven(judge),
  };
}

/** To allow what only begins or ends in some way, or does not, is not to allow what a shell would do besides. */
function oneCommand(
  { path, judge }: PredicateTest,
  { operator, value, isNegated }: Predicate,
): Judge {
  const isOpen = operator === 'startsWith' || operator === 'matches' || isNegated;
  if (!isOpen || !isForShell(path)) return judge;
  const written = isNegated ? '*' : operator === 'matches' ? jsonText(value) : undefined;
  return (given, real) => {
    const verdict = judge(given, real);
    if (verdict !== 'yes' || typeof given !== 'string') return verdict;
    const beyond =
      written === undefined ? given.slice(jsonText(value).length) : beyondPattern(written, given);
    return hasShellWords(beyond) ? 'unclear' : verdict;
  };
}

/** What is not there has none of the properties that a rule can name. */
function whereGiven(judge: Judge): Judge {
  return (value, real) => (value === undefined ? 'no' : judge(value, real));
}

/** It is unknown which default the tool uses for a missing argument. */
function negated(judge: Judge): Judge {
  return (value, real) => {
    if (value === undefined) return 'unclear';
    const verdict = judge(value, real);
    return verdict === 'unclear' ? verdict : verdict === 'yes' ? 'no' : 'yes';
  };
}

function judgeOf({ operator, value }: Predicate, style: PathStyle): Judge {
  switch (operator) {
    case 'equals':
      return (given) => (given === undefined ? 'no' : sameness(given, value));
    case 'in': {
      const wanted = Array.isArray(value) ? (value as readonly Json[]) : [];
      return (given) => (given === undefined ? 'no' : best(wanted, given));
    }
    case 'matches':
      return onText(compilePattern(jsonText(value)));
    case 'startsWith': {
      const prefix = jsonText(value);
      return onText((text) => text.startsWith(prefix));
    }
    case 'under': {
      const spellings = (Array.isArray(value) ? (value as readonly Json[]) : [value]).map(jsonText);
      return (given, real) =>
        typeof given === 'string' ? isUnder(given, { spellings, style }, real) : 'unclear';
    }
    case 'lessThan':
      return onNumber((number) => number < Number(value));
    case 'atMost':
      return onNumber((number) => number <= Number(value));
    case 'greaterThan':
      return onNumber((number) => number > Number(value));
    case 'atLeast':
      return onNumber((number) => number >= Number(value));
    default:
      return operator satisfies never;
  }
}

function onText(test: (text: string) => boolean): Judge {
  return (given) => {
    if (typeof given !== 'string') return 'unclear';
    return test(given) ? 'yes' : 'no';
  };
}

function onNumber(test: (number: number) => boolean): Judge {
  return (given) => {
    if (typeof given !== 'number') return 'unclear';
    return test(given) ? 'yes' : 'no';
  };
}

function best(wanted: readonly Json[], given: Json): Verdict {
  const verdicts = wanted.map((one) => sameness(given, one));
  return (['yes', 'unclear'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'no';
}

/** A server may well take `"5"` for 5. */
function sameness(given: Json, wanted: Json): Verdict {
  if (isSame(given, wanted)) return 'yes';
  const areScalars = !isNested(given) && !isNested(wanted);
  return areScalars && typeof given !== typeof wanted && jsonText(given) === jsonText(wanted)
    ? 'unclear'
    : 'no';
}

function jsonText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isNested(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

function isSame(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    const others = b as readonly Json[];
    return (a as readonly Json[]).every((item, index) => isSame(item, others[index] ?? null));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key] as Json, b[key] as Json))
  );
}
