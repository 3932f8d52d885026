// Names of members that values of the language or its libraries have: `parts.join()` may call a method of the tree or of an
// array. A symbol with such a name is always ambiguous.

const BUILT_IN = [
  ...[Array, String, Map, Set, WeakMap, Promise, Object, Number, RegExp, Date, Function, Error],
  ...[
    Uint8Array,
    ArrayBuffer,
    Symbol,
    BigInt,
    URL,
    AbortController,
    EventTarget,
    Request,
    Response,
  ],
];

function membersOf(made: object): readonly string[] {
  const prototype: unknown = (made as { readonly prototype?: unknown }).prototype;
  const own = typeof prototype === 'object' && prototype !== null ? prototype : {};
  return [...Object.getOwnPropertyNames(made), ...Object.getOwnPropertyNames(own)];
}

const PYTHON = `add append capitalize clear close copy count critical date datetime debug decode difference discard
  encode end endswith error exception expanduser extend fileno find findall finditer flush format fromkeys get getvalue
  group groups hex index info insert intersection isdigit items join keys load loads dump dumps log lower lstrip match
  mkdir name now open parse partition path pop popitem position put read readable readline readlines remove replace
  resolve reverse rfind rpartition rsplit rstrip run search seek send set setdefault sort span split splitlines start
  startswith stat stop strip sub submit symmetric_difference tell throw title translate union update upper utcnow values
  wait warning write writelines`;
const OTHERS = `add all any append apply clear clone close collect compareTo contains containsKey copy count create delete
  each empty equals error exists filter find first flush foreach forEach format get getName hashCode id insert isEmpty
  iter join key keys last len length load map name next of open parse peek pop print println push put read remove replace
  reset reverse run set size sort split start stop string substring sum text toString trim type unwrap update value
  valueOf values wait write Add Close Contains Count Equals Error Format Get Join Len Lock Name New Read Run Set Size
  Sort Split Start Stop String ToString Trim Type Unlock Value Write`;

const NAMES: Readonly<Record<string, ReadonlySet<string>>> = {
  script: new Set([
    ...BUILT_IN.flatMap(membersOf),
    ...[
      'log',
      'warn',
      'error',
      'info',
      'debug',
      'emit',
      'on',
      'off',
      'once',
      'write',
      'read',
      'close',
    ],
    ...[
      'start',
      'stop',
      'send',
      'parse',
      'stringify',
      'type',
      'value',
      'data',
      'id',
      'path',
      'key',
    ],
  ]),
  python: new Set(PYTHON.split(/\s+/)),
};
const OF_OTHERS: ReadonlySet<string> = new Set(OTHERS.split(/\s+/));

/** `family` is that of the language; see `familyOf`. */
export function isOutsideName(name: string, family: string): boolean {
  return (NAMES[family] ?? OF_OTHERS).has(name);
}
