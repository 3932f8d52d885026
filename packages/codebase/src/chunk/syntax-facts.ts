// The facts about a grammar that are needed to read the names in a text: its keywords, the nodes whose text is not code,
// where names are bound, and which nodes import. Derived from the grammar itself, except for the query about bindings.

import { type Language as Syntax, Query } from 'web-tree-sitter';
import { BINDINGS } from './languages/bindings.ts';
import { type GrammarName, GRAMMARS } from './languages/grammars.ts';
import type { Grammar } from './languages/language.ts';

export interface SyntaxFacts {
  /** Words that are names only after a dot. */
  readonly keywords: ReadonlySet<string>;
  /** Captures `skip`, `import`, `scope`, `local` and `key`. */
  readonly query: Query;
}

const WORD = /^[A-Za-z_]+$/;
/** Parts of strings are preferred to whole strings, since code can be interpolated into a string. */
const STRING_PARTS =
  /^(?:.*string_(?:content|fragment|text)|.*_str_text|.*_string_literal_content|heredoc_content|nowdoc_string|raw_string_content|string_literal_content)$/;
const WHOLE_STRINGS =
  /^(?:.*string_literal|raw_string|string|ansi_c_string|verbatim_.*characters|.*quoted_content)$/;
const NO_CODE =
  /comment$|^(?:jsx_text|regex_pattern|regex|regex_literal|char_literal|character|character_literal|rune_literal|system_lib_string|text|escape_sequence|simple_symbol)$/;
const IMPORTS =
  /^(?:import_statement|import_from_statement|import_declaration|import_spec|import_directive|import_or_export|import_header|use_declaration|namespace_use_declaration|using_directive|import|preproc_include|package_clause)$/;

export function syntaxFacts(syntax: Syntax, name: GrammarName): SyntaxFacts {
  const { keywords: ofKeywords }: Grammar = GRAMMARS[name];
  const named = new Set<string>();
  const keywords = new Set<string>();
  for (let id = 0; id < syntax.nodeTypeCount; id += 1) {
    const type = syntax.nodeTypeForId(id) ?? '';
    if (syntax.nodeTypeIsNamed(id)) named.add(type);
    else if (WORD.test(type) && !type.startsWith('_')) keywords.add(type);
  }
  const types = [...named].filter((type) => WORD.test(type) && !type.startsWith('_'));
  const parts = types.filter((type) => STRING_PARTS.test(type));
  const strings = parts.length > 0 ? parts : types.filter((type) => WHOLE_STRINGS.test(type));
  const skipped = [
    ...strings,
    ...types.filter((type) => NO_CODE.test(type) || ofKeywords?.test(type)),
  ];
  const imports = types.filter((type) => IMPORTS.test(type));
  const source = [
    alternatives(skipped, 'skip'),
    alternatives(imports, 'import'),
    BINDINGS[name] ?? '',
  ];
  return { keywords, query: new Query(syntax, source.join('\n')) };
}

function alternatives(types: readonly string[], capture: string): string {
  return types.length === 0 ? '' : `[${types.map((type) => `(${type})`).join(' ')}] @${capture}`;
}
