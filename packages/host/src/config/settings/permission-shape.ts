// The shape of the setting `permissions`: rules about calls, and what happens to calls without a rule. The
// policy room decides by these rules.

import { FLOW_MODES } from '../fields/index.ts';
import {
  anyValue,
  exactFields,
  flag,
  listOf,
  notBlank,
  number,
  oneOf,
  type ShapeValue,
  text,
  textOr,
} from '../text/index.ts';

/** `mcp__server__tool`, `mcp__server` or `server/tool`; names of servers contain no slash. */
export const toolPattern = text({
  pattern: /^(?:mcp__[\s\S]|[^/]+\/[\s\S])/,
  words: 'must be like "mcp__server__tool" or "server/tool"',
});

/** A condition: the path to a value in the arguments, and a requirement for that value. */
export const predicateShape = exactFields(
  {
    path: notBlank,
    not: flag,
    equals: anyValue,
    in: listOf(anyValue, { words: 'must be a list of values' }),
    matches: text(),
    startsWith: text(),
    under: notBlank,
    runs: notBlank,
    origin: notBlank,
    lessThan: number,
    atMost: number,
    greaterThan: number,
    atLeast: number,
  },
  { required: ['path'], least: 2 },
);

const annotationsShape = exactFields(
  { readOnly: flag, destructive: flag, idempotent: flag, openWorld: flag },
  { least: 1 },
);

const ruleFields = exactFields(
  {
    tool: toolPattern,
    server: notBlank,
    annotations: annotationsShape,
    arguments: listOf(predicateShape, { words: 'must be a list of conditions', least: 1 }),
    project: notBlank,
    out: flag,
  },
  { least: 1 },
);

export const ruleShape = textOr(toolPattern, ruleFields);

export type WrittenPermissionRule = ShapeValue<typeof ruleShape>;

const rules = listOf(ruleShape, { words: 'must be a list of rules' });

export const PERMISSION_MODES = ['default', 'read-only', 'deny-asks', 'allow-all'] as const;

export const permissionSettingsShape = exactFields({
  mode: oneOf(PERMISSION_MODES),
  readOnlyTools: oneOf(['allow', 'ask']),
  flow: oneOf(FLOW_MODES),
  allow: rules,
  ask: rules,
  deny: rules,
});

/** As written in a file, or given by a program. */
export type WrittenPermissions = ShapeValue<typeof permissionSettingsShape>;
