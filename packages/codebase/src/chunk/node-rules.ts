// A grammar's rules by the number of a node's type, so that a walk over a tree looks up no names.

import type { Language as Syntax } from 'web-tree-sitter';
import type { DeclarationKind, Grammar } from './languages/language.ts';

export interface NodeRule {
  readonly isNamed: boolean;
  readonly isComment: boolean;
  readonly declares: DeclarationKind | undefined;
  readonly holds: boolean;
  /** Belongs to what follows it. */
  readonly precedes: boolean;
  /** The body of the declaration before it. */
  readonly isBody: boolean;
}

export type NodeRules = readonly NodeRule[];

/** What could not be parsed has no number of its own; there may be declarations in it. */
const UNKNOWN: NodeRule = {
  isNamed: true,
  isComment: false,
  declares: undefined,
  holds: true,
  precedes: false,
  isBody: false,
};

export function nodeRules(syntax: Syntax, grammar: Grammar): NodeRules {
  const holds = new Set(grammar.holds);
  const bodies = new Set(grammar.bodies);
  const precedes = new Set(grammar.precedes);
  return Array.from({ length: syntax.nodeTypeCount }, (_, id): NodeRule => {
    const type = syntax.nodeTypeForId(id) ?? '';
    const isNamed = syntax.nodeTypeIsNamed(id);
    const isComment = isNamed && type.endsWith('comment');
    return {
      isNamed,
      isComment,
      declares:
        isNamed && Object.hasOwn(grammar.declares, type) ? grammar.declares[type] : undefined,
      holds: isNamed && holds.has(type),
      precedes: isComment || precedes.has(type),
      isBody: bodies.has(type),
    };
  });
}

export function ruleFor(rules: NodeRules, typeId: number): NodeRule {
  return rules[typeId] ?? UNKNOWN;
}
