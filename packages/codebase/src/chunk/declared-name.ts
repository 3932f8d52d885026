// What a node of a syntax tree declares: its kind and its name, or nothing. Grammars name the parts of a declaration
// differently; this file tells them apart by the type of the node.

import type { Node } from 'web-tree-sitter';
import type { DeclarationKind } from './languages/language.ts';

export interface DeclaredName {
  readonly kind: DeclarationKind;
  /** Empty for a declaration that only contains others. */
  readonly names: readonly string[];
  /** The name with its owner: `Server.start` of a method with a receiver. */
  readonly path: string;
}

const MOST_OF_NAME = 120;
/** Declarators of C are nested; no sensible one is this deep. */
const MOST_DECLARATORS = 16;
const MOST_ALIASES = 8;
const FUNCTIONS = new Set([
  'arrow_function',
  'function_expression',
  'generator_function',
  'function',
]);
const IMPORTED = /^(?:await\s+import|require)\s*\(/;
const NAME_LIKE = /(?:identifier|name|constant|^word|^object_reference)$/;

export function declaredBy(node: Node, kind: DeclarationKind): DeclaredName | undefined {
  switch (node.type) {
    case 'variable_declarator':
      return variable(node, kind);
    case 'assignment_expression':
      return assignedMember(node);
    case 'pair':
      return isFunction(node.childForFieldName('value'))
        ? singleName('method', unquotedText(node.childForFieldName('key')))
        : undefined;
    case 'field_definition':
    case 'public_field_definition':
      return singleName(
        isFunction(node.childForFieldName('value')) ? 'method' : kind,
        unquotedText(node.childForFieldName('name') ?? node.childForFieldName('property')),
      );
    case 'method_definition':
      return constructorOrMethod(nodeName(node, kind));
    case 'property_element':
      return singleName(kind, unquotedText(node.childForFieldName('name'))?.replace(/^\$/, ''));
    case 'assignment':
    case 'type_alias_statement':
      return singleName(kind, assigned(node.childForFieldName('left')));
    case 'impl_item':
      return holder(kind, typeName(node.childForFieldName('type')));
    case 'mod_item':
      // Without a body it only names a file.
      return node.childForFieldName('body') === null ? undefined : nodeName(node, kind);
    case 'method_declaration':
      return withReceiver(node, kind);
    case 'rule_set':
      return singleName(kind, folded(node.firstNamedChild));
    case 'section':
      return singleName(kind, folded(node.firstNamedChild)?.replace(/^\[+|\]+$/g, ''));
    case 'const_spec':
    case 'var_spec':
      return severalNames(kind, node.childrenForFieldName('name'));
    case 'type_spec':
      return singleName(goKind(node), unquotedText(node.childForFieldName('name')));
    case 'class_declaration':
      return classLike(node, kind);
    case 'val_definition':
    case 'var_definition':
      return singleName(kind, assigned(node.childForFieldName('pattern')));
    case 'property_declaration':
      return nodeName(childOfType(node, 'variable_declaration') ?? node, kind);
    case 'assignment_statement':
      return luaAssignment(node, kind);
    case 'call':
      return elixirDefinition(node);
    case 'struct_specifier':
    case 'union_specifier':
    case 'enum_specifier':
    case 'class_specifier':
      // Without a body it only uses a type declared elsewhere.
      return node.childForFieldName('body') === null ? undefined : nodeName(node, kind);
    default:
      return nodeName(node, kind);
  }
}

function nodeName(node: Node, kind: DeclarationKind): DeclaredName | undefined {
  const name = node.childForFieldName('name');
  if (name !== null) return singleName(kind, unquotedText(name));
  const declarator = node.childForFieldName('declarator');
  if (declarator !== null) return declaratorOf(declarator, kind);
  const first = node.namedChildren.find((child) => NAME_LIKE.test(child.type));
  return singleName(
    kind,
    first?.type === 'object_reference' ? sqlName(first) : unquotedText(first ?? null),
  );
}

/** `shop.orders`, `"shop"."orders"`; the brackets of `[shop].[orders]` are errors to the grammar. */
function sqlName(reference: Node): string {
  const names = reference.namedChildren.filter(({ type }) => type === 'identifier');
  return names.map(unquotedText).join('.');
}

function constructorOrMethod(method: DeclaredName | undefined): DeclaredName | undefined {
  return method?.path === 'constructor' ? { ...method, kind: 'constructor' } : method;
}

function declaratorOf(outermost: Node, kind: DeclarationKind): DeclaredName | undefined {
  let node: Node | null = outermost;
  let isFunctionLike = false;
  for (let depth = 0; node !== null && depth < MOST_DECLARATORS; depth += 1) {
    if (node.type === 'function_declarator') isFunctionLike = true;
    const inner: Node | null = node.childForFieldName('declarator');
    if (inner === null) break;
    node = inner;
  }
  const isVariable = kind === 'variable' || kind === 'property';
  return singleName(isFunctionLike && isVariable ? 'function' : kind, unquotedText(node));
}

function variable(node: Node, kind: DeclarationKind): DeclaredName | undefined {
  const name = node.childForFieldName('name');
  const value = node.childForFieldName('value');
  if (name === null || name.type.endsWith('pattern')) return undefined;
  if (isFunction(value)) return singleName('function', unquotedText(name));
  if (value?.type === 'class') return singleName('class', unquotedText(name));
  if (value !== null && IMPORTED.test(value.text.slice(0, 20))) return undefined;
  return singleName(kind, unquotedText(name));
}

/** `exports.send = function …`, `res.set = res.header = …`; other assignments declare nothing. */
function assignedMember(node: Node): DeclaredName | undefined {
  const members: string[] = [];
  let value: Node | null = node;
  while (value?.type === 'assignment_expression' && members.length < MOST_ALIASES) {
    const left = value.childForFieldName('left');
    if (left?.type === 'member_expression') members.push(folded(left) ?? '');
    value = value.childForFieldName('right');
  }
  const kind = value?.type === 'class' ? 'class' : isFunction(value) ? 'function' : undefined;
  if (kind === undefined) return undefined;
  const all = members.map((path) =>
    singleName(kind, path.replace(/^(?:module\.)?exports\.|\.prototype\b/g, '')),
  );
  const [first] = all;
  return first && { ...first, names: all.flatMap((one) => one?.names ?? []) };
}

function assigned(left: Node | null): string | undefined {
  if (left === null) return undefined;
  return left.type === 'identifier' || left.type === 'constant' || left.type === 'type'
    ? unquotedText(left)
    : undefined;
}

function withReceiver(node: Node, kind: DeclarationKind): DeclaredName | undefined {
  const own = nodeName(node, kind);
  const receiver = node.childForFieldName('receiver');
  if (own === undefined || receiver === null) return own;
  const type = receiver.namedChildren.at(-1)?.childForFieldName('type') ?? null;
  const container = typeName(type);
  return container === undefined ? own : { ...own, path: `${container}.${own.path}` };
}

/** The name of a type without pointers, references and arguments. */
function typeName(type: Node | null): string | undefined {
  const text = unquotedText(type)
    ?.replace(/<[^]*$|\[[^]*$/g, '')
    .replace(/[&*()'\s]|\bmut\b|\bdyn\b/g, '');
  return text === undefined ? undefined : text.split(/::|\./).at(-1);
}

function goKind(node: Node): DeclarationKind {
  const type = node.childForFieldName('type')?.type;
  if (type === 'struct_type') return 'struct';
  return type === 'interface_type' ? 'interface' : 'type';
}

const CLASS_LIKE_KINDS: Readonly<Record<string, DeclarationKind>> = {
  struct: 'struct',
  enum: 'enum',
  extension: 'extension',
  interface: 'interface',
};

/** Swift and Kotlin have one node for everything like a class. Kotlin's enumerations are classes with a modifier. */
function classLike(node: Node, kind: DeclarationKind): DeclaredName | undefined {
  const swift = node.childForFieldName('declaration_kind')?.type;
  const modifiers = childOfType(node, 'modifiers')?.text.split(/\s+/) ?? [];
  const keywords = [
    swift,
    ...(modifiers.includes('enum') ? ['enum'] : []),
    childOfType(node, 'interface')?.type,
  ];
  const keyword = keywords.find(
    (word) => word !== undefined && Object.hasOwn(CLASS_LIKE_KINDS, word),
  );
  const own = CLASS_LIKE_KINDS[keyword ?? ''] ?? kind;
  const name = unquotedText(node.childForFieldName('name'));
  return own === 'extension' ? holder(own, name) : singleName(own, name);
}

/** `M.open = function …` and `local limit = 3`; an assignment to a member that is not a function declares nothing. */
function luaAssignment(node: Node, kind: DeclarationKind): DeclaredName | undefined {
  const name = node.namedChildren[0]?.childForFieldName('name') ?? null;
  const value = node.namedChildren[1]?.childForFieldName('value');
  if (value?.type === 'function_definition') return singleName('function', unquotedText(name));
  return node.parent?.type === 'variable_declaration'
    ? singleName(kind, unquotedText(name))
    : undefined;
}

const ELIXIR_KINDS: Readonly<Record<string, DeclarationKind>> = {
  def: 'function',
  defp: 'function',
  defdelegate: 'function',
  defguard: 'macro',
  defguardp: 'macro',
  defimpl: 'impl',
  defmacro: 'macro',
  defmacrop: 'macro',
  defmodule: 'class',
  defprotocol: 'interface',
};
/** A guard or a default may enclose the head of a definition. */
const MOST_OF_HEAD = 4;

function elixirDefinition(node: Node): DeclaredName | undefined {
  const macro = node.childForFieldName('target')?.text ?? '';
  const kind = Object.hasOwn(ELIXIR_KINDS, macro) ? ELIXIR_KINDS[macro] : undefined;
  if (kind === undefined) return undefined;
  let head = childOfType(node, 'arguments')?.namedChildren[0] ?? null;
  for (let depth = 0; depth < MOST_OF_HEAD; depth += 1) {
    const inner = head?.childForFieldName('left') ?? head?.childForFieldName('target') ?? null;
    if (inner === null) break;
    head = inner;
  }
  return kind === 'impl' ? holder(kind, folded(head)) : singleName(kind, unquotedText(head));
}

function childOfType(node: Node, type: string): Node | undefined {
  return node.children.find((child) => child.type === type);
}

function isFunction(value: Node | null): boolean {
  return value !== null && FUNCTIONS.has(value.type);
}

function unquotedText(node: Node | null): string | undefined {
  return folded(node)?.replace(/^["'`#]|["'`]$/g, '');
}

function folded(node: Node | null): string | undefined {
  if (node === null) return undefined;
  const text = node.text
    .slice(0, 2 * MOST_OF_NAME)
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : text.slice(0, MOST_OF_NAME);
}

function singleName(kind: DeclarationKind, name: string | undefined): DeclaredName | undefined {
  if (name === undefined || name === '_') return undefined;
  // A selector or a file name in quotes is one name, whatever dots it has.
  if (kind === 'rule' || kind === 'section') return { kind, names: [name], path: name };
  // `::` of C++ and Rust, and `:` of a method in Lua.
  const path = name.replace(/::?/g, '.');
  const last = path.slice(path.lastIndexOf('.') + 1);
  return { kind, names: [last === '' ? path : last], path };
}

function severalNames(kind: DeclarationKind, nodes: readonly Node[]): DeclaredName | undefined {
  const all = nodes
    .filter(({ isNamed }) => isNamed)
    .flatMap((node) => singleName(kind, unquotedText(node)) ?? []);
  const [first] = all;
  return first && { ...first, names: all.flatMap(({ names }) => names) };
}

function holder(kind: DeclarationKind, name: string | undefined): DeclaredName | undefined {
  return name === undefined ? undefined : { kind, names: [], path: name };
}
