// Tree-sitter queries for the names that are bound only in a part of a file (`@local`, in the enclosing `@scope`), and for
// keys of objects and arguments (`@key`). A grammar without a query has no local names.

import type { GrammarName } from './grammars.ts';

const JAVASCRIPT = `
  [(function_declaration) (function_expression) (generator_function) (generator_function_declaration)
   (arrow_function) (method_definition) (statement_block) (for_statement) (for_in_statement) (catch_clause)] @scope
  (variable_declarator name: (identifier) @local)
  (arrow_function parameter: (identifier) @local)
  (catch_clause parameter: (identifier) @local)
  (for_in_statement left: (identifier) @local)
  (array_pattern (identifier) @local)
  (rest_pattern (identifier) @local)
  (assignment_pattern left: (identifier) @local)
  (pair_pattern value: (identifier) @local)
  (shorthand_property_identifier_pattern) @local
  (pair key: (property_identifier) @key)
  (pair_pattern key: (property_identifier) @key)`;
const JAVASCRIPT_ONLY = `
  (formal_parameters (identifier) @local)
  (jsx_attribute (property_identifier) @key)`;
const TYPESCRIPT = `${JAVASCRIPT}
  [(function_signature) (method_signature) (abstract_method_signature) (function_type) (construct_signature)
   (type_alias_declaration) (interface_declaration) (class_declaration)] @scope
  (required_parameter pattern: (identifier) @local)
  (optional_parameter pattern: (identifier) @local)
  (type_parameter name: (type_identifier) @local)
  (index_signature name: (identifier) @local)
  (property_signature name: (property_identifier) @key)`;

const C = `
  [(function_definition) (compound_statement) (for_statement)] @scope
  (parameter_declaration declarator: (identifier) @local)
  (parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local))
  (declaration declarator: (identifier) @local)
  (declaration declarator: (pointer_declarator declarator: (identifier) @local))
  (init_declarator declarator: (identifier) @local)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
  (initializer_pair designator: (field_designator (field_identifier) @key))`;

export const BINDINGS: Partial<Readonly<Record<GrammarName, string>>> = {
  javascript: JAVASCRIPT + JAVASCRIPT_ONLY,
  typescript: TYPESCRIPT,
  tsx: `${TYPESCRIPT}
  (jsx_attribute (property_identifier) @key)`,
  python: `
  [(function_definition) (lambda) (list_comprehension) (dictionary_comprehension) (set_comprehension)
   (generator_expression)] @scope
  (parameters (identifier) @local)
  (lambda_parameters (identifier) @local)
  (default_parameter name: (identifier) @local)
  (typed_default_parameter name: (identifier) @local)
  (typed_parameter (identifier) @local)
  (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)
  (assignment left: (identifier) @local)
  (augmented_assignment left: (identifier) @local)
  (named_expression name: (identifier) @local)
  (for_statement left: (identifier) @local)
  (for_in_clause left: (identifier) @local)
  (pattern_list (identifier) @local)
  (tuple_pattern (identifier) @local)
  (as_pattern_target (identifier) @local)
  (keyword_argument name: (identifier) @key)`,
  go: `
  [(function_declaration) (method_declaration) (func_literal) (block) (if_statement) (for_statement)] @scope
  (parameter_declaration name: (identifier) @local)
  (variadic_parameter_declaration name: (identifier) @local)
  (type_parameter_declaration name: (identifier) @local)
  (short_var_declaration left: (expression_list (identifier) @local))
  (range_clause left: (expression_list (identifier) @local))
  (var_spec name: (identifier) @local)
  (const_spec name: (identifier) @local)
  (keyed_element . (literal_element (identifier) @key))`,
  java: `
  [(method_declaration) (constructor_declaration) (lambda_expression) (block) (for_statement)
   (enhanced_for_statement) (catch_clause) (try_with_resources_statement)] @scope
  (formal_parameter name: (identifier) @local)
  (catch_formal_parameter name: (identifier) @local)
  (lambda_expression parameters: (identifier) @local)
  (inferred_parameters (identifier) @local)
  (local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
  (enhanced_for_statement name: (identifier) @local)
  (resource name: (identifier) @local)
  (type_parameter (type_identifier) @local)
  (element_value_pair key: (identifier) @key)`,
  rust: `
  [(function_item) (closure_expression) (block) (match_arm) (for_expression)] @scope
  (parameter pattern: (identifier) @local)
  (closure_parameters (identifier) @local)
  (let_declaration pattern: (identifier) @local)
  (mut_pattern (identifier) @local)
  (ref_pattern (identifier) @local)
  (tuple_pattern (identifier) @local)
  (tuple_struct_pattern (identifier) @local .)
  (for_expression pattern: (identifier) @local)
  (type_parameter name: (type_identifier) @local)
  (field_initializer field: (field_identifier) @key)
  (field_pattern name: (field_identifier) @key)`,
  c: C,
  cpp: `${C}
  [(lambda_expression) (for_range_loop) (catch_clause)] @scope
  (parameter_declaration declarator: (reference_declarator (identifier) @local))
  (optional_parameter_declaration declarator: (identifier) @local)
  (init_declarator declarator: (reference_declarator (identifier) @local))
  (for_range_loop declarator: (identifier) @local)
  (for_range_loop declarator: (reference_declarator (identifier) @local))
  (type_parameter_declaration (type_identifier) @local)`,
  csharp: `
  [(method_declaration) (constructor_declaration) (local_function_statement) (lambda_expression) (block)
   (for_statement) (foreach_statement) (catch_clause)] @scope
  (parameter name: (identifier) @local)
  (local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
  (foreach_statement left: (identifier) @local)
  (catch_declaration name: (identifier) @local)
  (implicit_parameter) @local
  (declaration_pattern name: (identifier) @local)`,
  ruby: `
  [(method) (singleton_method) (block) (do_block) (lambda)] @scope
  (method_parameters (identifier) @local)
  (block_parameters (identifier) @local)
  (lambda_parameters (identifier) @local)
  (optional_parameter name: (identifier) @local)
  (keyword_parameter name: (identifier) @local)
  (splat_parameter name: (identifier) @local)
  (block_parameter name: (identifier) @local)
  (assignment left: (identifier) @local)
  (left_assignment_list (identifier) @local)
  (pair key: (hash_key_symbol) @key)`,
  kotlin: `
  [(function_declaration) (lambda_literal) (block) (for_statement) (catch_block)] @scope
  (parameter (identifier) @local)
  (function_body (block (property_declaration (variable_declaration (identifier) @local))))
  (lambda_parameters (variable_declaration (identifier) @local))
  (for_statement (variable_declaration (identifier) @local))
  (value_argument (identifier) @key "=")`,
  scala: `
  [(function_definition) (lambda_expression) (block) (case_clause) (for_expression)] @scope
  (parameter name: (identifier) @local)
  (block (val_definition pattern: (identifier) @local))
  (block (var_definition pattern: (identifier) @local))
  (lambda_expression parameters: (identifier) @local)
  (enumerator . (identifier) @local)
  (case_clause pattern: (identifier) @local)`,
  lua: `
  [(function_declaration) (function_definition) (block) (for_statement)] @scope
  (parameters name: (identifier) @local)
  (variable_declaration (assignment_statement (variable_list name: (identifier) @local)))
  (for_numeric_clause name: (identifier) @local)
  (for_generic_clause (variable_list name: (identifier) @local))
  (field name: (identifier) @key)`,
  sql: `
  [(statement) (subquery)] @scope
  (cte . (identifier) @local)
  (relation alias: (identifier) @local)
  (term alias: (identifier) @local)
  (literal) @skip`,
  elixir: `
  [(do_block) (stab_clause) (anonymous_function)] @scope
  (stab_clause left: (arguments (identifier) @local))
  (binary_operator left: (identifier) @local operator: "=")
  (pair key: (keyword) @key)`,
};
