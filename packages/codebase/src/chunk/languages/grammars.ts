// The grammars: the file of each, which of its nodes declare something, and which contain declarations. Any other node is
// entered only if it is too large for one chunk.

import type { Grammar } from './language.ts';
import { sql } from './sql.ts';

const bash: Grammar = {
  file: 'bash',
  declares: { function_definition: 'function', variable_assignment: 'variable' },
  holds: ['declaration_command'],
};

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

const c: Grammar = {
  file: 'c',
  declares: C_DECLARES,
  holds: [...C_HOLDS, 'declaration_list'],
};

const cpp: Grammar = {
  file: 'cpp',
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
};

const csharp: Grammar = {
  file: 'csharp',
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
};

const css: Grammar = {
  file: 'css',
  declares: { rule_set: 'rule', keyframes_statement: 'rule' },
  holds: ['media_statement', 'supports_statement', 'at_rule', 'block'],
};

const dart: Grammar = {
  file: 'dart',
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
};

const go: Grammar = {
  file: 'go',
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
};

const ini: Grammar = {
  file: 'ini',
  declares: { section: 'section' },
  holds: [],
};

const java: Grammar = {
  file: 'java',
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
};

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

const javascript: Grammar = {
  file: 'javascript',
  declares: { ...JAVASCRIPT_DECLARES, field_definition: 'property' },
  holds: JAVASCRIPT_HOLDS,
  precedes: ['decorator'],
};

const TYPESCRIPT: Omit<Grammar, 'file'> = {
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

const typescript: Grammar = {
  file: 'typescript',
  ...TYPESCRIPT,
};
const tsx: Grammar = {
  file: 'tsx',
  ...TYPESCRIPT,
};

const php: Grammar = {
  file: 'php',
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
  holds: ['declaration_list', 'enum_declaration_list', 'const_declaration', 'property_declaration'],
};

const powershell: Grammar = {
  file: 'powershell',
  declares: {
    function_statement: 'function',
    class_statement: 'class',
    enum_statement: 'enum',
    class_method_definition: 'method',
  },
  holds: ['statement_list'],
};

const python: Grammar = {
  file: 'python',
  declares: {
    class_definition: 'class',
    function_definition: 'function',
    assignment: 'variable',
    type_alias_statement: 'type',
  },
  holds: ['decorated_definition', 'block', 'expression_statement', 'if_statement', 'try_statement'],
};

const ruby: Grammar = {
  file: 'ruby',
  declares: {
    module: 'namespace',
    class: 'class',
    method: 'function',
    singleton_method: 'function',
    assignment: 'constant',
  },
  holds: ['body_statement'],
};

const rust: Grammar = {
  file: 'rust',
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
};

const solidity: Grammar = {
  file: 'solidity',
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
};

const swift: Grammar = {
  file: 'swift',
  declares: {
    class_declaration: 'class',
    protocol_declaration: 'interface',
    function_declaration: 'function',
    protocol_function_declaration: 'function',
    typealias_declaration: 'type',
    property_declaration: 'property',
  },
  holds: ['class_body', 'enum_class_body', 'protocol_body'],
};

const elixir: Grammar = {
  file: 'elixir',
  // Every declaration is a call of a macro.
  declares: { call: 'function' },
  holds: ['do_block'],
  precedes: ['unary_operator'],
};

const kotlin: Grammar = {
  file: 'kotlin',
  declares: {
    class_declaration: 'class',
    object_declaration: 'class',
    function_declaration: 'function',
    property_declaration: 'property',
    type_alias: 'type',
  },
  holds: ['class_body', 'enum_class_body', 'companion_object'],
};

const lua: Grammar = {
  file: 'lua',
  declares: {
    function_declaration: 'function',
    assignment_statement: 'variable',
  },
  holds: ['variable_declaration'],
};

const scala: Grammar = {
  file: 'scala',
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
};

export const GRAMMARS = {
  bash,
  c,
  cpp,
  csharp,
  css,
  dart,
  elixir,
  go,
  ini,
  java,
  javascript,
  kotlin,
  lua,
  php,
  powershell,
  python,
  ruby,
  rust,
  scala,
  solidity,
  sql,
  swift,
  tsx,
  typescript,
} as const satisfies Readonly<Record<string, Grammar>>;
