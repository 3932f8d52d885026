// The grammars: which of the nodes of each declare something, and which contain declarations. Any other node is entered
// only if it is too large for one chunk.

import type { Grammar } from './language.ts';
import { sql } from './sql.ts';
import type { LanguageName } from './table.ts';

const C_DECLARES = {
  struct_specifier: 'struct',
  union_specifier: 'struct',
  enum_specifier: 'enum',
  type_definition: 'type',
  function_definition: 'function',
  declaration: 'variable',
  preproc_def: 'macro',
  preproc_function_def: 'macro',
} as const;
const C_HOLDS = [
  'preproc_ifdef',
  'preproc_if',
  'preproc_else',
  'preproc_elif',
  'linkage_specification',
];

const JAVASCRIPT_DECLARES = {
  class_declaration: 'class',
  function_declaration: 'function',
  generator_function_declaration: 'function',
  method_definition: 'method',
  variable_declarator: 'constant',
  assignment_expression: 'variable',
  pair: 'property',
} as const;
const JAVASCRIPT_HOLDS = [
  'export_statement',
  'lexical_declaration',
  'variable_declaration',
  'expression_statement',
  'class_body',
  'object',
];

const TYPESCRIPT: Grammar = {
  declares: {
    ...JAVASCRIPT_DECLARES,
    abstract_class_declaration: 'class',
    interface_declaration: 'interface',
    type_alias_declaration: 'type',
    enum_declaration: 'enum',
    internal_module: 'namespace',
    module: 'namespace',
    function_signature: 'function',
    method_signature: 'method',
    abstract_method_signature: 'method',
    public_field_definition: 'property',
  },
  holds: [...JAVASCRIPT_HOLDS, 'interface_body', 'ambient_declaration', 'statement_block'],
  precedes: ['decorator'],
};

/** By the name of the language, which is also that of the file in the folder `grammars` of the package. */
export const GRAMMARS = {
  bash: {
    declares: { function_definition: 'function', variable_assignment: 'variable' },
    holds: ['declaration_command'],
  },
  c: {
    declares: C_DECLARES,
    holds: [...C_HOLDS, 'declaration_list'],
  },
  cpp: {
    declares: {
      ...C_DECLARES,
      class_specifier: 'class',
      namespace_definition: 'namespace',
      alias_declaration: 'type',
      concept_definition: 'type',
      field_declaration: 'property',
    },
    holds: [...C_HOLDS, 'declaration_list', 'field_declaration_list', 'template_declaration'],
    precedes: ['access_specifier'],
  },
  csharp: {
    declares: {
      namespace_declaration: 'namespace',
      class_declaration: 'class',
      record_declaration: 'class',
      struct_declaration: 'struct',
      interface_declaration: 'interface',
      enum_declaration: 'enum',
      delegate_declaration: 'type',
      method_declaration: 'method',
      local_function_statement: 'function',
      constructor_declaration: 'constructor',
      property_declaration: 'property',
      variable_declarator: 'property',
    },
    holds: [
      'declaration_list',
      'event_field_declaration',
      'field_declaration',
      'variable_declaration',
      'global_statement',
    ],
  },
  css: {
    declares: { rule_set: 'rule', keyframes_statement: 'rule' },
    holds: ['media_statement', 'supports_statement', 'at_rule', 'block'],
  },
  dart: {
    declares: {
      class_definition: 'class',
      mixin_declaration: 'trait',
      extension_declaration: 'extension',
      enum_declaration: 'enum',
      function_signature: 'function',
      getter_signature: 'property',
      setter_signature: 'property',
      constructor_signature: 'constructor',
      factory_constructor_signature: 'constructor',
      type_alias: 'type',
      static_final_declaration: 'constant',
      initialized_identifier: 'property',
    },
    holds: [
      'class_body',
      'extension_body',
      'enum_body',
      'declaration',
      'method_signature',
      'static_final_declaration_list',
      'initialized_identifier_list',
    ],
    bodies: ['function_body'],
    precedes: [
      'annotation',
      'function_signature',
      'method_signature',
      'const_builtin',
      'final_builtin',
    ],
  },
  elixir: {
    // Every declaration is a call of a macro.
    declares: { call: 'function' },
    holds: ['do_block'],
    precedes: ['unary_operator'],
  },
  go: {
    declares: {
      function_declaration: 'function',
      method_declaration: 'method',
      type_spec: 'type',
      type_alias: 'type',
      const_spec: 'constant',
      var_spec: 'variable',
      method_elem: 'method',
    },
    holds: [
      'type_declaration',
      'const_declaration',
      'var_declaration',
      'var_spec_list',
      'interface_type',
    ],
  },
  ini: {
    declares: { section: 'section' },
    holds: [],
  },
  java: {
    declares: {
      class_declaration: 'class',
      record_declaration: 'class',
      interface_declaration: 'interface',
      annotation_type_declaration: 'interface',
      enum_declaration: 'enum',
      method_declaration: 'method',
      constructor_declaration: 'constructor',
      compact_constructor_declaration: 'constructor',
      variable_declarator: 'property',
    },
    holds: [
      'class_body',
      'interface_body',
      'enum_body',
      'enum_body_declarations',
      'field_declaration',
    ],
  },
  javascript: {
    declares: { ...JAVASCRIPT_DECLARES, field_definition: 'property' },
    holds: JAVASCRIPT_HOLDS,
    precedes: ['decorator'],
  },
  kotlin: {
    declares: {
      class_declaration: 'class',
      object_declaration: 'class',
      function_declaration: 'function',
      property_declaration: 'property',
      type_alias: 'type',
    },
    holds: ['class_body', 'enum_class_body', 'companion_object'],
  },
  lua: {
    declares: {
      function_declaration: 'function',
      assignment_statement: 'variable',
    },
    holds: ['variable_declaration'],
  },
  php: {
    declares: {
      namespace_definition: 'namespace',
      class_declaration: 'class',
      interface_declaration: 'interface',
      trait_declaration: 'trait',
      enum_declaration: 'enum',
      function_definition: 'function',
      method_declaration: 'method',
      const_element: 'constant',
      property_element: 'property',
    },
    holds: [
      'declaration_list',
      'enum_declaration_list',
      'const_declaration',
      'property_declaration',
    ],
  },
  powershell: {
    declares: {
      function_statement: 'function',
      class_statement: 'class',
      enum_statement: 'enum',
      class_method_definition: 'method',
    },
    holds: ['statement_list'],
  },
  python: {
    declares: {
      class_definition: 'class',
      function_definition: 'function',
      assignment: 'variable',
      type_alias_statement: 'type',
    },
    holds: [
      'decorated_definition',
      'block',
      'expression_statement',
      'if_statement',
      'try_statement',
    ],
  },
  ruby: {
    declares: {
      module: 'namespace',
      class: 'class',
      method: 'function',
      singleton_method: 'function',
      assignment: 'constant',
    },
    holds: ['body_statement'],
  },
  rust: {
    declares: {
      struct_item: 'struct',
      union_item: 'struct',
      enum_item: 'enum',
      trait_item: 'trait',
      impl_item: 'impl',
      mod_item: 'namespace',
      function_item: 'function',
      function_signature_item: 'function',
      macro_definition: 'macro',
      const_item: 'constant',
      static_item: 'constant',
      type_item: 'type',
      associated_type: 'type',
    },
    holds: ['declaration_list'],
    precedes: ['attribute_item'],
  },
  scala: {
    declares: {
      class_definition: 'class',
      object_definition: 'class',
      trait_definition: 'trait',
      enum_definition: 'enum',
      function_definition: 'function',
      function_declaration: 'function',
      val_definition: 'property',
      var_definition: 'property',
      type_definition: 'type',
      given_definition: 'constant',
    },
    holds: ['template_body', 'enum_body', 'extension_definition', 'package_clause'],
  },
  solidity: {
    declares: {
      contract_declaration: 'class',
      interface_declaration: 'interface',
      library_declaration: 'class',
      function_definition: 'function',
      modifier_definition: 'function',
      event_definition: 'event',
      error_declaration: 'type',
      struct_declaration: 'struct',
      enum_declaration: 'enum',
      state_variable_declaration: 'property',
    },
    holds: ['contract_body'],
  },
  sql,
  swift: {
    declares: {
      class_declaration: 'class',
      protocol_declaration: 'interface',
      function_declaration: 'function',
      protocol_function_declaration: 'function',
      typealias_declaration: 'type',
      property_declaration: 'property',
    },
    holds: ['class_body', 'enum_class_body', 'protocol_body'],
  },
  tsx: TYPESCRIPT,
  typescript: TYPESCRIPT,
} as const satisfies Partial<Readonly<Record<LanguageName, Grammar>>>;

export type GrammarName = keyof typeof GRAMMARS;

export function hasGrammar(language: string): language is GrammarName {
  return Object.hasOwn(GRAMMARS, language);
}
