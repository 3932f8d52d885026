// @ts-check
// Lists the runtime's globals that a file uses, in the spelling of rooms.json, without local variables of the same name
// and globals that only occur in types.

/**
 * @typedef {import('./oxlint.ts').Node} Node
 * @typedef {import('./oxlint.ts').ScopeManager} ScopeManager
 */

const GLOBAL_OBJECTS = new Set(['globalThis', 'global']);
const TYPE_POSITIONS = new Set(['TSTypeQuery', 'TSQualifiedName', 'TSTypeReference']);

/**
 * @param {ScopeManager} scopes
 * @returns {{ readonly node: Node, readonly names: readonly string[] }[]} each use with every spelling
 *   that a ban could have for it: `Date`, `Date.now`, `new Date()`
 */
export function globalNames(scopes) {
  return scopes.scopes.flatMap(({ references }) =>
    references
      .filter(({ resolved }) => resolved === null || resolved.defs.length === 0)
      .map(({ identifier }) => /** @type {Node} */ (identifier))
      .filter((node) => node.parent !== null && !TYPE_POSITIONS.has(node.parent.type))
      .map((node) => ({ node, names: spellings(node, nameOf(node)) })),
  );
}

/**
 * @param {Node} node
 * @param {string} name
 * @returns {string[]}
 */
function spellings(node, name) {
  const { parent } = node;
  if (parent?.type === 'MemberExpression' && parent.object === node) {
    const member = nameOf(parent.property);
    return GLOBAL_OBJECTS.has(name) ? spellings(parent, member) : [name, `${name}.${member}`];
  }
  if (parent?.type === 'NewExpression' && parent.arguments.length === 0)
    return [name, `new ${name}()`];
  if (parent?.type === 'CallExpression' && parent.callee === node) return [name, `${name}()`];
  return [name];
}

/**
 * @param {Node} node
 * @returns {string} of an identifier or of a computed `['member']`, else nothing
 */
function nameOf(node) {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : '';
}
