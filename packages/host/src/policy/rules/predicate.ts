// The conditions of a rule on the arguments of a call. A condition is met, not met, or unclear: a rule that allows
// requires all to be met; a rule that denies or asks requires that none is unmet. So an argument of an unexpected type never
// allows a call and never avoids a denial. Pure.

import { commandPattern, isObject, isUrl, type Json, runsCommand } from '@plugboard/base';
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
  type PathFacts,
  type PathStyle,
  type Verdict,
} from './path-under.ts';
import type { Effect, Predicate } from './rule.ts';
import type { CallSubject } from './subject.ts';

export interface ArgumentTest {
  /** Whether the rule is about a call with these arguments. */
  fits(call: TestedCall): boolean;
  /** Whether the targets of paths matter to the rule. */
  readonly isAboutPaths: boolean;
  /** The paths in the arguments whose targets matter to the rule. */
  pathsIn(call: TestedCall): readonly string[];
}

export type TestedCall = Pick<CallSubject, 'arguments' | 'realPaths' | 'folder'>;

/** Compiles all conditions of one rule. */
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
  const isMetBy = ({ path, isOne, judge }: PredicateTest, call: TestedCall): boolean => {
    const { arguments: given } = call;
    if (isOne) return isMet(judge(valueAt(given, path), call));
    const verdicts = valuesAt(given, path).map((value) => judge(value, call));
    return isAllow ? verdicts.every(isMet) : verdicts.some(isMet);
  };
  return {
    isAboutPaths: tests.some((test) => test.isAboutPaths),
    fits(call) {
      // Runs for every call and every rule about its arguments, so nothing is allocated.
      for (const test of tests) if (!isMetBy(test, call)) return false;
      return true;
    },
    pathsIn: ({ arguments: given, folder }) =>
      tests
        .filter(({ isAboutPaths }) => isAboutPaths)
        .flatMap(({ path }) => valuesAt(given, path))
        .flatMap((value) =>
          typeof value === 'string' ? (completePath(value, style, folder) ?? []) : [],
        ),
  };
}

interface PredicateTest {
  readonly path: ArgumentPath;
  /** Whether the path leads to at most one value. */
  readonly isOne: boolean;
  readonly isAboutPaths: boolean;
  readonly judge: Judge;
}

type Judge = (value: Json | undefined, paths: PathFacts) => Verdict;

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

/** A rule that allows commands with a prefix or a pattern must not allow what a shell would run in addition. */
function oneCommand(
  { path, judge }: PredicateTest,
  { operator, value, isNegated }: Predicate,
): Judge {
  const isOpen = operator === 'startsWith' || operator === 'matches' || isNegated;
  if (!isOpen || !isForShell(path)) return judge;
  const written = isNegated ? '*' : operator === 'matches' ? jsonText(value) : undefined;
  return (given, paths) => {
    const verdict = judge(given, paths);
    if (verdict !== 'yes' || typeof given !== 'string') return verdict;
    const beyond =
      written === undefined ? given.slice(jsonText(value).length) : beyondPattern(written, given);
    return hasShellWords(beyond) ? 'unclear' : verdict;
  };
}

/** A missing argument meets no condition. */
function whereGiven(judge: Judge): Judge {
  return (value, paths) => (value === undefined ? 'no' : judge(value, paths));
}

/** It is unknown which default the tool uses for a missing argument. */
function negated(judge: Judge): Judge {
  return (value, paths) => {
    if (value === undefined) return 'unclear';
    const verdict = judge(value, paths);
    if (verdict === 'unclear') return verdict;
    return verdict === 'yes' ? 'no' : 'yes';
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
      return (given, paths) =>
        typeof given === 'string' ? isUnder(given, { spellings, style }, paths) : 'unclear';
    }
    case 'runs': {
      const pattern = commandPattern(jsonText(value));
      return (given) => (typeof given === 'string' ? runsCommand(given, pattern) : 'unclear');
    }
    case 'origin': {
      const wanted = jsonText(value);
      return (given) => {
        if (typeof given !== 'string' || !isUrl(given)) return 'unclear';
        return new URL(given).origin === wanted ? 'yes' : 'no';
      };
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

/** A server may treat `"5"` as 5. */
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
