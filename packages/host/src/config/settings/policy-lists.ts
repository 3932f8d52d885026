// Reads the lists of a file that allow and deny servers. A list with an error is kept and marked as broken,
// and then blocks every server. Admission combines the lists of all files.

import { err, ok, type Result } from '@plugboard/base';
import { getNodeValue } from '#jsonc-parser';
import type { Node } from 'jsonc-parser';
import {
  type Diagnostic,
  type DiagnosticCode,
  fileOrigin,
  type Origin,
  type Position,
  propertiesOf,
  type Property,
  type Scope,
} from '../text/index.ts';
import { parseUrlPattern } from './url-pattern.ts';

export interface PolicyList {
  readonly kind: 'allow' | 'deny';
  readonly scope: Scope;
  readonly origin: Origin;
  readonly rules: readonly PolicyRule[];
  /** The error that makes it unreliable: then a deny list denies every server, and an allow list allows none. */
  readonly broken?: Diagnostic;
}

export type PolicyRule =
  | { readonly kind: 'name'; readonly name: string; readonly origin: Origin }
  | { readonly kind: 'url'; readonly pattern: string; readonly origin: Origin }
  | { readonly kind: 'command'; readonly argv: readonly string[]; readonly origin: Origin };

export interface PolicyFindings {
  readonly lists: readonly PolicyList[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The settings that contain the lists. */
const POLICY_KEYS: Readonly<Record<string, PolicyList['kind']>> = {
  allowedMcpServers: 'allow',
  deniedMcpServers: 'deny',
};

type PlaceOf = (offset: number) => Position;

/** Never throws. A missing allow list allows every server, unlike an empty one. */
export function readPolicyLists(root: Node, at: PlaceOf, scope: Scope): PolicyFindings {
  const settings = propertiesOf(root);
  const found = Object.entries(POLICY_KEYS).flatMap(([key, kind]) => {
    const written = settings.filter(({ name }) => name === key);
    return written.length === 0 ? [] : [readList({ key, kind, written, at, scope })];
  });
  return {
    lists: found.map(({ list }) => list),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** The policy of a source that cannot be read: it is unknown what the source would have denied. */
export function unreadablePolicy(scope: Scope, cause: Diagnostic): PolicyList {
  return { kind: 'deny', scope, origin: fileOrigin(cause), rules: [], broken: cause };
}

interface WrittenList {
  readonly key: string;
  readonly kind: PolicyList['kind'];
  /** At least one; several if the key is duplicated. */
  readonly written: readonly Property[];
  readonly at: PlaceOf;
  readonly scope: Scope;
}

function readList(list: WrittenList): { list: PolicyList; diagnostics: readonly Diagnostic[] } {
  const { key, kind, written, at, scope } = list;
  const [first, second] = written;
  const origin = fileOrigin(at(first?.key.offset ?? 0));
  const read = rulesOf(list);
  const mistakes =
    second === undefined
      ? read.mistakes
      : [{ ...MISTAKES.twice, what: `"${key}"`, offset: second.key.offset }];
  const diagnostics = mistakes.map((mistake) => diagnosticOf(mistake, list));
  const [broken] = diagnostics;
  return {
    list: { kind, scope, origin, rules: read.rules, ...(broken === undefined ? {} : { broken }) },
    diagnostics,
  };
}

interface Mistake {
  readonly code: DiagnosticCode;
  /** The subject of the sentence that `words` continues. */
  readonly what: string;
  readonly words: string;
  readonly offset: number;
}

const MISTAKES = {
  twice: { code: 'duplicate-key', words: 'is written twice' },
  list: { code: 'wrong-type', words: 'must be a list of rules' },
  rule: { code: 'wrong-type', words: 'must be an object' },
  fields: {
    code: 'bad-value',
    words: 'must have "serverName", "serverUrl" or "serverCommand", one of them and nothing else',
  },
} as const satisfies Record<string, Pick<Mistake, 'code' | 'words'>>;

function rulesOf({ key, written, at }: WrittenList): {
  rules: readonly PolicyRule[];
  mistakes: readonly Mistake[];
} {
  const [property] = written;
  const value = property?.value;
  if (value?.type !== 'array') {
    const offset = (value ?? property?.key)?.offset ?? 0;
    return { rules: [], mistakes: [{ ...MISTAKES.list, what: `"${key}"`, offset }] };
  }
  const read = (value.children ?? []).map((node) => readRule(node, at));
  return {
    rules: read.flatMap((rule) => (rule.ok ? [rule.value] : [])),
    mistakes: read.flatMap((rule) => (rule.ok ? [] : [rule.error])),
  };
}

function readRule(node: Node, at: PlaceOf): Result<PolicyRule, Mistake> {
  const { offset } = node;
  if (node.type !== 'object') return err({ ...MISTAKES.rule, what: 'A rule', offset });
  const [field, ...others] = propertiesOf(node);
  if (field === undefined || others.length > 0) {
    return err({ ...MISTAKES.fields, what: 'A rule', offset });
  }
  const value: unknown = field.value === undefined ? undefined : getNodeValue(field.value);
  const origin = fileOrigin(at(offset));
  const wrong = (code: DiagnosticCode, words: string): Result<never, Mistake> =>
    err({ code, what: `"${field.name}"`, words, offset: (field.value ?? field.key).offset });
  switch (field.name) {
    case 'serverName':
      if (typeof value !== 'string') return wrong('wrong-type', 'must be text');
      if (value === '') return wrong('bad-value', 'must not be empty');
      return ok({ kind: 'name', name: value, origin });
    case 'serverUrl': {
      if (typeof value !== 'string') return wrong('wrong-type', 'must be text');
      const pattern = parseUrlPattern(value);
      if (!pattern.ok) return wrong('bad-value', pattern.error);
      return ok({ kind: 'url', pattern: value, origin });
    }
    case 'serverCommand':
      if (!isListOfText(value)) return wrong('wrong-type', 'must be a list of texts');
      if (value.length === 0) return wrong('bad-value', 'must not be empty');
      return ok({ kind: 'command', argv: value, origin });
    default:
      return err({ ...MISTAKES.fields, what: 'A rule', offset });
  }
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function diagnosticOf(
  { code, what, words, offset }: Mistake,
  { key, kind, at }: WrittenList,
): Diagnostic {
  const until = kind === 'deny' ? 'every server is denied' : 'no server is allowed';
  return {
    severity: 'error',
    code,
    message: `${what}${what === `"${key}"` ? '' : ` in "${key}"`} ${words}. Until then ${until}.`,
    suggestion: `Write it like "${key}": [{ "serverName": "some-server" }, { "serverUrl": "https://*.example.com/*" }].`,
    ...at(offset),
  };
}
