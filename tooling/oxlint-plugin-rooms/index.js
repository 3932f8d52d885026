// @ts-check
// The oxlint plugin with the rules `rooms/imports` and `rooms/ambient`. It finds the nearest rooms.json above the linted
// file and the names that the file uses; verdict.js makes every decision.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { globalNames } from './global-names.js';
import { judgeGlobal, judgeImport, judgeModule } from './verdict.js';

/**
 * @typedef {import('./oxlint.ts').Context} Context
 * @typedef {import('./oxlint.ts').Node} Node
 * @typedef {import('./oxlint.ts').Rule} Rule
 * @typedef {import('./oxlint.ts').Visitor} Visitor
 * @typedef {import('./verdict.js').Rooms} Rooms
 * @typedef {import('./verdict.js').Verdict} Verdict
 * @typedef {{ readonly root: string, readonly rooms: Rooms }} House
 */

/** @type {Map<string, House | undefined>} */
const houses = new Map();

/**
 * @param {string} folder
 * @returns {House | undefined}
 */
function houseOf(folder) {
  if (houses.has(folder)) return houses.get(folder);
  const file = join(folder, 'rooms.json');
  const above = dirname(folder);
  const house = existsSync(file)
    ? { root: folder, rooms: JSON.parse(readFileSync(file, 'utf8')) }
    : above === folder
      ? undefined
      : houseOf(above);
  houses.set(folder, house);
  return house;
}

/**
 * @param {Context} context
 * @returns {(House & { readonly path: string }) | undefined} where the linted file stands
 */
function standing(context) {
  const house = houseOf(dirname(context.filename));
  if (house === undefined) return undefined;
  return { ...house, path: relative(house.root, context.filename).split(sep).join('/') };
}

/**
 * @param {Context} context
 * @param {Node} node
 * @param {Verdict} verdict
 */
function reportRefusal(context, node, verdict) {
  if (verdict.kind === 'refused') context.report({ node, message: verdict.reason });
}

/**
 * Calls `judge` with every specifier of the file: `import`, `export from`, `import()`, `require()`
 * and `import('…')` types alike.
 *
 * @param {Context} context
 * @param {(specifier: string) => Verdict} judge
 * @returns {Visitor}
 */
function visitSpecifiers(context, judge) {
  /** @param {Node | null | undefined} source */
  const check = (source) => {
    if (!source) return;
    const specifier = literalOf(source);
    if (specifier !== undefined) reportRefusal(context, source, judge(specifier));
  };
  /** @param {Node} node */
  const visit = (node) => check('source' in node ? node.source : undefined);
  return {
    ImportDeclaration: visit,
    ExportNamedDeclaration: visit,
    ExportAllDeclaration: visit,
    ImportExpression: visit,
    TSImportType: visit,
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'require') {
        check(node.arguments[0]);
      }
    },
  };
}

/**
 * @param {Node} node
 * @returns {string | undefined} its text, when it is a literal
 */
function literalOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || node.quasis.length !== 1) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** @type {{ meta: { name: string }, rules: Record<string, Rule> }} */
const plugin = {
  meta: { name: 'rooms' },
  rules: {
    imports: {
      create(context) {
        const here = standing(context);
        if (here === undefined) return {};
        return visitSpecifiers(context, (to) => judgeImport(here.path, to, here.rooms));
      },
    },
    ambient: {
      create(context) {
        const here = standing(context);
        if (here === undefined) return {};
        return {
          ...visitSpecifiers(context, (to) => judgeModule(here.path, to, here.rooms)),
          Program() {
            for (const { node, names } of globalNames(context.sourceCode.scopeManager)) {
              const verdicts = names.map((name) => judgeGlobal(here.path, name, here.rooms));
              const refusal = verdicts.find(({ kind }) => kind === 'refused');
              if (refusal !== undefined) reportRefusal(context, node, refusal);
            }
          },
        };
      },
    },
  },
};

export default plugin;
