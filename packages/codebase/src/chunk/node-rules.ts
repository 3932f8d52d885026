// The rules of a grammar, indexed by the numeric type of a node, so that walking a tree needs no lookup of names.

import type { Language as Syntax } from 'web-tree-sitter';
import type { DeclarationKind, Grammar } from './languages/language.ts';

export interface NodeRule {
  readonly isNamed: boolean;
  readonly isComment: boolean;
  readonly declares: DeclarationKind | undefined;
  readonly holds: boolean;
  /** Belongs to the node that follows. */
  readonly precedes: boolean;
  /** The body of the preceding declaration. */
  readonly isBody: boolean;
}

export type NodeRules = readonly NodeRule[];

/** Text that could not be parsed has no type of its own; it may contain declarations. */
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
