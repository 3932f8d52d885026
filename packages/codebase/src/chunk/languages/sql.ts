// SQL: its grammar, and the reading of `CREATE` lines in dialects that the grammar does not cover.

import type { DeclarationKind, Grammar } from './language.ts';

export const sql: Grammar = {
  declares: {
    create_table: 'table',
    column_definition: 'property',
    create_view: 'view',
    create_materialized_view: 'view',
    create_function: 'function',
    create_trigger: 'trigger',
    create_index: 'index',
    create_type: 'type',
    create_schema: 'namespace',
    create_sequence: 'variable',
  },
  holds: ['statement', 'column_definitions'],
  keywords: /^keyword_/,
};

const CREATING =
  /^[ \t]*create\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:definer\s*=\s*\S+|global|local|temp|temporary|unlogged|external|foreign|virtual|unique|clustered|nonclustered|fulltext|spatial|materialized|recursive|constraint|editionable|noneditionable|aggregate)\s+)*(table|view|function|procedure|proc|package(?:\s+body)?|index|trigger|event|type|domain|sequence|schema)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?((?:["`[][^"`\]]{1,80}["`\]]|[\p{L}_#@][\p{L}\p{N}_$#@]*)(?:\.(?:["`[][^"`\]]{1,80}["`\]]|[\p{L}_#@][\p{L}\p{N}_$#@]*)){0,3})/iu;

const CREATED: Readonly<Record<string, DeclarationKind>> = {
  table: 'table',
  view: 'view',
  index: 'index',
  trigger: 'trigger',
  type: 'type',
  domain: 'type',
  schema: 'namespace',
  package: 'namespace',
  sequence: 'variable',
};

/** What a line creates, in any dialect: `CREATE OR ALTER PROCEDURE [dbo].[Archive]`. */
export function createdBy(line: string):
  | {
      readonly kind: DeclarationKind;
      readonly names: readonly string[];
      readonly symbol: string;
    }
  | undefined {
  const [, what, quoted] = CREATING.exec(line) ?? [];
  if (what === undefined || quoted === undefined) return undefined;
  const symbol = quoted.replace(/["`[\]]/g, '');
  const name = symbol.slice(symbol.lastIndexOf('.') + 1);
  const kind = CREATED[what.toLowerCase().split(/\s/)[0] ?? ''] ?? 'function';
  return { kind, names: [name], symbol };
}
