// Reads a syntax tree: where the text may be cut, and what it declares. It enters only nodes that are too large for one
// chunk or that contain declarations, and does not recurse, since code may be nested to any depth.

import type { Tree, TreeCursor } from 'web-tree-sitter';
import { type Boundary, type Declaration, MOST_WEIGHT, type Outline } from './chunk.ts';
import { declaredBy } from './declared-name.ts';
import { type DeclarationKind, kindsWhere } from './languages/language.ts';
import { type NodeRule, type NodeRules, ruleFor } from './node-rules.ts';
import type { Scale } from './weigh.ts';

const HOLDERS = kindsWhere(({ role }) => role === 'holder');
const BODIES = kindsWhere(({ role }) => role === 'body');
const DATA = kindsWhere(({ role }) => role === 'data');

const MOST_OF_SYMBOL = 240;
/** A place within a line is the worst place to cut. */
const WITHIN_LINE = 1000;
/** A place within a leaf (a long string, a long comment) is only a little better. */
const WITHIN_LEAF = 500;
/** How many nodes are read between two looks at the clock. */
const NODES_BETWEEN_LOOKS = 512;
/** How many characters of a declaration are searched for its name. */
const MOST_BEFORE_NAME = 2000;
const NAME_PART = /[\w$\u0080-\uffff]/;
const LINE_FEED = 10;
const SPACE = 32;
const TAB = 9;

/** A node whose children are being visited. */
interface Frame {
  /** Whether the text may be cut between its children. */
  readonly isSplit: boolean;
  readonly depth: number;
  readonly inside: Declaration | undefined;
  readonly isInBody: boolean;
  /** The last child, if it is a comment or the like that belongs to the next one. */
  precedes: LeadingPart | undefined;
  /** The start of the comment that belongs to the first declaration in it. */
  lead: number | undefined;
}

interface Extent {
  readonly start: number;
  readonly end: number;
}

interface LeadingPart extends Extent {
  readonly isComment: boolean;
}

export interface TreeOfText {
  readonly tree: Tree;
  readonly text: string;
  readonly rules: NodeRules;
  readonly scale: Scale;
  readonly isLate: () => boolean;
}

/** `undefined` if it took too long. */
export function outlineOfTree(source: TreeOfText): Outline | undefined {
  const cursor = source.tree.walk();
  try {
    return new TreeReader(source, cursor).read();
  } finally {
    cursor.delete();
  }
}

const TOP: Frame = {
  isSplit: false,
  depth: 0,
  inside: undefined,
  isInBody: false,
  precedes: undefined,
  lead: undefined,
};

class TreeReader {
  readonly #source: TreeOfText;
  readonly #cursor: TreeCursor;
  readonly #boundaries: Boundary[] = [];
  readonly #declarations: Declaration[] = [];
  /** The start of the last node that was considered as a boundary. */
  #reached = 0;
  /** The last boundary at the start of a line. A node within a line is weighed from there. */
  #unit = 0;

  constructor(source: TreeOfText, cursor: TreeCursor) {
    this.#source = source;
    this.#cursor = cursor;
  }

  read(): Outline | undefined {
    const cursor = this.#cursor;
    const frames: Frame[] = [{ ...TOP, isSplit: true }];
    let isDown = cursor.gotoFirstChild();
    for (let count = 1; isDown; count += 1) {
      if (count % NODES_BETWEEN_LOOKS === 0 && this.#source.isLate()) return undefined;
      const inner = this.#visit(frames.at(-1));
      if (inner !== undefined && cursor.gotoFirstChild()) {
        frames.push(inner);
        continue;
      }
      if (inner?.isSplit === true) this.#addLines(inner.depth);
      while (!cursor.gotoNextSibling()) {
        frames.pop();
        if (frames.length === 0 || !cursor.gotoParent()) {
          isDown = false;
          break;
        }
      }
    }
    return { boundaries: this.#boundaries, declarations: this.#declarations };
  }

  /** Reads the node at the cursor. Returns a frame if its children are to be visited. */
  #visit(frame: Frame | undefined): Frame | undefined {
    if (frame === undefined) return undefined;
    const { scale, rules } = this.#source;
    const rule = ruleFor(rules, this.#cursor.nodeTypeId);
    if (!rule.isNamed) return undefined;
    const start = this.#cursor.startIndex;
    const end = this.#cursor.endIndex;
    const lead = frame.isSplit ? this.#addBoundary(frame, rule, { start, end }) : undefined;
    if (lead !== undefined) frame.lead = lead;
    const declared = rule.isBody ? this.#extend(end) : this.#declare(frame, rule.declares);
    const isSplit = frame.isSplit && scale.weigh(this.#unit, end) > MOST_WEIGHT;
    const isHolder = declared !== undefined && HOLDERS.has(declared.kind);
    const holds = (rule.holds || isHolder || mayHoldObject(declared)) && !frame.isInBody;
    if (!isSplit && !holds) return undefined;
    return {
      isSplit,
      depth: frame.depth + 1,
      inside: declared ?? frame.inside,
      isInBody: frame.isInBody || (declared !== undefined && BODIES.has(declared.kind)),
      precedes: undefined,
      lead: declared === undefined ? lead : undefined,
    };
  }

  /** Returns the start of the comment that belongs to the node, if there is one. */
  #addBoundary(frame: Frame, rule: NodeRule, { start, end }: Extent): number | undefined {
    const { text } = this.#source;
    const before = frame.precedes;
    const line = lineStart(text, start);
    const isBound = before !== undefined && !(before.isComment && isApart(text, before, start));
    const lead = isBound ? before.start : undefined;
    // A comment at the end of a line belongs to that line.
    const isRemark = rule.isComment && line === undefined;
    frame.precedes =
      rule.precedes && !isRemark
        ? { start: lead ?? start, end, isComment: rule.isComment }
        : undefined;
    const offset = line ?? start;
    if (!isBound && !isRemark && offset > this.#reached) {
      const depth = line === undefined ? frame.depth + WITHIN_LINE : frame.depth;
      this.#boundaries.push({ offset, depth });
      if (line !== undefined) this.#unit = offset;
    }
    this.#reached = Math.max(this.#reached, offset);
    return lead;
  }

  #extend(end: number): Declaration | undefined {
    const last = this.#declarations.pop();
    if (last === undefined) return undefined;
    const extended = { ...last, end };
    this.#declarations.push(extended);
    return extended;
  }

  #declare(frame: Frame, as: DeclarationKind | undefined): Declaration | undefined {
    if (as === undefined) return undefined;
    const node = this.#cursor.currentNode;
    const declared = declaredBy(node, as);
    if (declared === undefined || (frame.isInBody && DATA.has(declared.kind))) return undefined;
    const around = frame.inside;
    const isMember =
      around !== undefined && HOLDERS.has(around.kind) && around.kind !== 'namespace';
    const start = frame.lead ?? node.startIndex;
    frame.lead = undefined;
    const declaration: Declaration = {
      start,
      end: node.endIndex,
      kind: declared.kind === 'function' && isMember ? 'method' : declared.kind,
      names: declared.names,
      symbol: join(around?.symbol, declared.path),
      depth: around === undefined ? 0 : around.depth + 1,
      nameOffsets: declared.names.map((name) => offsetOfName(this.#source.text, name, node)),
    };
    this.#declarations.push(declaration);
    return declaration;
  }

  /** Adds boundaries between the lines of a leaf that is too large. */
  #addLines(depth: number): void {
    const { text } = this.#source;
    const end = this.#cursor.endIndex;
    let at = text.indexOf('\n', this.#cursor.startIndex) + 1;
    for (; at > 0 && at < end; at = text.indexOf('\n', at) + 1) {
      if (at <= this.#reached) continue;
      this.#boundaries.push({ offset: at, depth: depth + WITHIN_LEAF });
      this.#reached = at;
    }
  }
}

/** A top-level object may contain functions: `export const handlers = { open() … }`. */
function mayHoldObject(declared: Declaration | undefined): boolean {
  return declared?.kind === 'constant' || declared?.kind === 'variable';
}

function join(around: string | undefined, path: string): string {
  return around === undefined ? path : `${around}.${path}`.slice(-MOST_OF_SYMBOL);
}

/** The offset of the first occurrence of a name as a word in its declaration. */
function offsetOfName(
  text: string,
  name: string,
  { startIndex, endIndex }: { readonly startIndex: number; readonly endIndex: number },
): number {
  const head = text.slice(startIndex, Math.min(endIndex, startIndex + MOST_BEFORE_NAME));
  for (let at = head.indexOf(name); at >= 0; at = head.indexOf(name, at + 1)) {
    const isWord =
      !NAME_PART.test(head.charAt(at - 1)) && !NAME_PART.test(head.charAt(at + name.length));
    if (isWord) return startIndex + at;
  }
  return startIndex;
}

/** The start of the line of `offset`, if only white space precedes `offset` there. */
function lineStart(text: string, offset: number): number | undefined {
  for (let at = offset - 1; at >= 0; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) return at + 1;
    if (code !== SPACE && code !== TAB) return undefined;
  }
  return 0;
}

/** Whether a blank line separates a comment from what follows. A doc comment may be followed by one blank line. */
function isApart(text: string, comment: Extent, to: number): boolean {
  // A line comment ends before its line feed in some grammars, and after it in others.
  let feeds = text.charCodeAt(comment.end - 1) === LINE_FEED ? 1 : 0;
  for (let at = comment.end; at < to; at += 1) if (text.charCodeAt(at) === LINE_FEED) feeds += 1;
  return feeds > (text.startsWith('/**', comment.start) ? 2 : 1);
}
