// Matches a node of a syntax tree against a pattern, and binds the holes of the pattern. Comments are skipped, and so are
// keywords and punctuation of the code that the pattern lacks (`async`, a trailing comma). The steps are counted, since a
// pattern with many holes has many possible matches.

import type { Node } from 'web-tree-sitter';
import { holeIn } from './pattern.ts';

const MOST_STEPS = 20_000;

/** The text of each named hole; `undefined` if the node does not match. */
export function matchNode(pattern: Node, node: Node): ReadonlyMap<string, string> | undefined {
  const matcher = new Matcher();
  return matcher.fits(pattern, node) ? matcher.bound : undefined;
}

class Matcher {
  readonly bound = new Map<string, string>();
  #steps = 0;

  fits(pattern: Node, node: Node): boolean {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) return false;
    const hole = holeIn(pattern.text);
    if (hole !== undefined) return node.isNamed && this.#bind(hole.name, node.text);
    if (pattern.type !== node.type) return false;
    if (pattern.childCount === 0) return pattern.text === node.text;
    return this.#allFit(partsOf(pattern), partsOf(node));
  }

  #allFit(patterns: readonly Node[], nodes: readonly Node[]): boolean {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) return false;
    const [first, ...rest] = patterns;
    if (first === undefined) return nodes.every((node) => !node.isNamed);
    const hole = holeIn(first.text);
    if (hole?.kind === 'many') return this.#manyFit(hole.name, rest, nodes);
    const [node, ...others] = nodes;
    if (
      node !== undefined &&
      this.#attempt(() => this.fits(first, node) && this.#allFit(rest, others))
    ) {
      return true;
    }
    // `f($A, $$$REST)` also matches `f(1)`.
    const next = rest[0];
    const isBeforeMany = !first.isNamed && next !== undefined && holeIn(next.text)?.kind === 'many';
    if (isBeforeMany && this.#attempt(() => this.#allFit(rest, nodes))) return true;
    return node !== undefined && !node.isNamed && this.#allFit(patterns, others);
  }

  #manyFit(name: string, rest: readonly Node[], nodes: readonly Node[]): boolean {
    for (let taken = nodes.length; taken >= 0; taken -= 1) {
      const some = nodes.slice(0, taken);
      const text = textOver(some);
      const fits = (): boolean => this.#bind(name, text) && this.#allFit(rest, nodes.slice(taken));
      if (this.#attempt(fits)) return true;
    }
    return false;
  }

  /** Restores the bindings if the attempt fails. */
  #attempt(fits: () => boolean): boolean {
    const before = [...this.bound];
    if (fits()) return true;
    this.bound.clear();
    for (const [name, text] of before) this.bound.set(name, text);
    return false;
  }

  #bind(name: string, text: string): boolean {
    if (name === '') return true;
    const known = this.bound.get(name);
    if (known !== undefined) return known === text;
    this.bound.set(name, text);
    return true;
  }
}

function partsOf(node: Node): readonly Node[] {
  return node.children.filter(({ type }) => !type.endsWith('comment'));
}

/** The text from the first node to the last, with everything in between. */
function textOver(nodes: readonly Node[]): string {
  const [first] = nodes;
  const last = nodes.at(-1);
  if (first === undefined || last === undefined) return '';
  const { tree } = first;
  return tree.rootNode.text.slice(
    first.startIndex - tree.rootNode.startIndex,
    last.endIndex - tree.rootNode.startIndex,
  );
}
