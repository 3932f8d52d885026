// Detects test files: files that declare test cases for the test frameworks of their language. A file that only mentions
// tests, or has the word in its name, does not count.

import type { LanguageName } from '../chunk/index.ts';

const SCRIPT =
  /^[ \t]*(?:describe|it|test|suite|bench)(?:\.\w+)*\s*(?:\([^()\n]*\))?\(\s*(?:['"`]|\w+\.name\b)/m;
const SCRIPT_FRAMEWORK =
  /^import\s+(?:\w+\s*,\s*)?\{([^{}]*)\}\s*from\s*['"](?:vitest|node:test|bun:test|mocha|ava|tape|tap|uvu|@jest\/globals|@playwright\/test)['"]/m;
const CASE_MAKERS = /\b(?:describe|it|test|expect|beforeEach|afterEach|beforeAll|bench)\b/;
const C_LIKE = /^[ \t]*(?:TEST|TEST_F|TEST_P|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE)\s*\(/m;
const JVM =
  /^[ \t]*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|RunWith|BeforeEach|Benchmark)\b|^import (?:static )?(?:org\.junit|org\.testng|kotlin\.test|io\.kotest|com\.google\.caliper)\b/m;

/** The constructs of tests, by language. */
const CONSTRUCTS: Partial<Readonly<Record<LanguageName, RegExp>>> = {
  bash: /^[ \t]*@test ['"]/m,
  c: C_LIKE,
  clojure: /^\(deftest\b/m,
  cpp: C_LIKE,
  csharp: /^[ \t]*\[(?:Fact|Theory|Test|TestCase|TestMethod|TestFixture|TestClass|Benchmark)\b/m,
  dart: /^import 'package:(?:test|flutter_test)\//m,
  elixir: /^[ \t]*use ExUnit\.Case\b/m,
  go: /^func (?:Test|Benchmark|Fuzz|Example)\w*\((?:\w+ \*testing\.\w+)?\)/m,
  groovy: JVM,
  haskell: /^import +(?:qualified +)?Test\./m,
  java: JVM,
  julia: /^[ \t]*@testset\b/m,
  kotlin: JVM,
  lua: /^[ \t]*(?:describe|it)\(\s*['"]/m,
  php: /\bextends\s+\\?(?:\w+\\)*\w*TestCase\b|^[ \t]*(?:it|test)\(\s*['"]/m,
  perl: /^use Test2?::/m,
  python: /^[ \t]*(?:async )?def test(?:_\w*|[A-Z]\w*)?\(|^[ \t]*@pytest\.fixture\b/m,
  r: /^[ \t]*test_that\(/m,
  ruby: /^[ \t]*(?:RSpec\.)?(?:describe|context)\b.* do\b|<\s*(?:Minitest::Test|Test::Unit::TestCase|ActiveSupport::TestCase)\b/m,
  scala:
    /\bextends\s+\w*(?:FunSuite|FlatSpec|WordSpec|AnyFunSuite|AnyFlatSpec|AnyWordSpec|Specification)\b/m,
  swift: /\bXCTestCase\b|^[ \t]*@Test\b|^import XCTest\b/m,
};
const SCRIPTS = new Set<LanguageName>(['javascript', 'typescript', 'tsx']);
/** In Rust, test cases may follow the code that they test; such a file is not a test. */
const CASES_BELOW =
  /^#\[cfg\((?:all\()?test\b[^\n]*\n(?:[ \t]*#\[[^\n]*\n){0,8}[ \t]*(?:pub(?:\([\w ]+\))? )?mod \w+ \{/m;

export function isTest(text: string, language: LanguageName | undefined): boolean {
  if (language === undefined) return false;
  if (SCRIPTS.has(language)) return isScriptTest(text);
  if (language === 'rust') return areMostlyCases(text);
  return CONSTRUCTS[language]?.test(text) ?? false;
}

function isScriptTest(text: string): boolean {
  return SCRIPT.test(text) || CASE_MAKERS.test(SCRIPT_FRAMEWORK.exec(text)?.[1] ?? '');
}

function areMostlyCases(text: string): boolean {
  const below = CASES_BELOW.exec(text);
  const above = below === null ? text : text.slice(0, below.index);
  const cases = countOf(above, /^[ \t]*#\[(?:\w+::)*test\b/gm);
  return (
    cases > 0 &&
    cases * 2 >= countOf(above, /^[ \t]*(?:pub(?:\([^)]*\))? )?(?:const )?(?:async )?fn /gm)
  );
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
