// Adds, replaces or removes one property or item in the text of a file. Everything else stays as it is:
// comments, order, indentation, line ends and trailing commas. The caller makes sure that the text has no
// syntax errors.

import { applyEdits, createScanner } from '#jsonc-parser';
import type { Edit, Node } from 'jsonc-parser';
import { propertiesOf, type Property } from '../text/index.ts';
import { lineStart, ownCommentsStart } from './own-comments.ts';

/** The text with `"name": value` as the last property of an object. */
export function insertProperty(
  text: string,
  object: Node,
  property: { readonly name: string; readonly value: unknown },
): string {
  const last = propertiesOf(object).at(-1);
  const style = styleOf(text);
  const start = lineStart(text, object.offset);
  const outer = indentAt(text, start);
  if (last === undefined) {
    const inner = outer + style.indent;
    const content = text.slice(object.offset + 1, endOf(object) - 1).trimEnd();
    const added = `${style.eol}${inner}${written(property, { ...style, margin: inner })}`;
    return replace(text, {
      offset: object.offset + 1,
      length: object.length - 2,
      content: `${content}${added}${style.eol}${outer}`,
    });
  }
  if (isOnOneLine(text, object, last)) {
    const compact = `, ${JSON.stringify(property.name)}: ${JSON.stringify(property.value)}`;
    return replace(text, { offset: endOf(last.node), length: 0, content: compact });
  }
  return insertLine(text, last.node, (layout) => written(property, layout));
}

/** The text with one more item at the end of a list. */
export function insertItem(text: string, list: Node, value: unknown): string {
  const last = list.children?.at(-1);
  if (last === undefined) {
    return replace(text, { offset: list.offset + 1, length: 0, content: JSON.stringify(value) });
  }
  if (/[\r\n]/.test(text.slice(list.offset, last.offset))) {
    return insertLine(text, last, (layout) => lines(value, layout));
  }
  return replace(text, {
    offset: endOf(last),
    length: 0,
    content: `, ${JSON.stringify(value)}`,
  });
}

/** The text with another value for a property. */
export function replaceValue(
  text: string,
  object: Node,
  { property, value }: { readonly property: Property; readonly value: unknown },
): string {
  const old = property.value ?? property.key;
  const margin = indentAt(text, lineStart(text, property.node.offset));
  const content = isOnOneLine(text, object, property)
    ? JSON.stringify(value)
    : lines(value, { ...styleOf(text), margin });
  return replace(text, { offset: old.offset, length: old.length, content });
}

/** The text without a property, a comment on its last line, and the comments directly above it. */
export function removeProperty(text: string, object: Node, { node }: Property): string {
  const siblings = propertiesOf(object).map((property) => property.node);
  return removeNode(text, object, { node, siblings });
}

/** The text without an item of a list, in the same way. */
export function removeItem(text: string, list: Node, item: Node): string {
  return removeNode(text, list, { node: item, siblings: list.children ?? [] });
}

function removeNode(
  text: string,
  container: Node,
  { node, siblings }: { readonly node: Node; readonly siblings: readonly Node[] },
): string {
  const previous = siblings[siblings.indexOf(node) - 1];
  const comma = commaAfter(text, endOf(node));
  // Comments above a single property may be about the whole object.
  const start = previous === undefined ? container.offset + 1 : endOf(previous);
  const after = siblings.length === 1 ? node.offset : start;
  if (comma === undefined && previous !== undefined) {
    // After the last one is removed, the comma before it is superfluous.
    const before = commaAfter(text, endOf(previous)) ?? endOf(previous);
    const isBehind = text.slice(before + 1, node.offset).trim() === '' && !startsLine(text, node);
    if (isBehind) {
      return replace(text, { offset: before, length: endOf(node) - before, content: '' });
    }
    return applyEdits(text, [
      { offset: before, length: 1, content: '' },
      wholeLines(text, { from: node.offset, to: endOf(node), after }),
    ]);
  }
  const between = comma === undefined ? '' : text.slice(endOf(node), comma);
  if (comma === undefined || between.trim() === '') {
    const to = comma === undefined ? endOf(node) : comma + 1;
    return replace(text, wholeLines(text, { from: node.offset, to, after }));
  }
  // A comment is between the value and its comma.
  return applyEdits(text, [
    { offset: node.offset, length: node.length, content: '' },
    { offset: comma, length: 1, content: '' },
  ]);
}

function startsLine(text: string, node: Node): boolean {
  return text.slice(lineStart(text, node.offset), node.offset).trim() === '';
}

function isOnOneLine(text: string, object: Node, property: Property): boolean {
  return !/[\r\n]/.test(text.slice(object.offset, property.node.offset));
}

interface Style {
  readonly eol: string;
  readonly indent: string;
}

function styleOf(text: string): Style {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const indent = /[\r\n]([ \t]+)"/.exec(text)?.[1] ?? '  ';
  return { eol, indent };
}

interface Layout extends Style {
  /** The indentation of every line after the first. */
  readonly margin: string;
}

function lines(value: unknown, { eol, indent, margin }: Layout): string {
  return JSON.stringify(value, undefined, indent).replaceAll('\n', `${eol}${margin}`);
}

function written(property: { name: string; value: unknown }, layout: Layout): string {
  return `${JSON.stringify(property.name)}: ${lines(property.value, layout)}`;
}

/** Inserts a line after the last node and the comments on its line. */
function insertLine(text: string, last: Node, write: (layout: Layout) => string): string {
  const style = styleOf(text);
  const margin = indentAt(text, lineStart(text, last.offset));
  const comma = commaAfter(text, endOf(last));
  const end = comma === undefined ? endOf(last) : comma + 1;
  const content = `${style.eol}${margin}${write({ ...style, margin })}`;
  if (comma !== undefined) {
    return replace(text, { offset: endOfRemarks(text, end), length: 0, content: `${content},` });
  }
  return applyEdits(text, [
    { offset: end, length: 0, content: ',' },
    { offset: endOfRemarks(text, end), length: 0, content },
  ]);
}

/** The offset after the comments that follow on the same line. */
function endOfRemarks(text: string, from: number): number {
  const remarks = /^(?:[ \t]*\/\*(?:(?!\*\/)[^\r\n])*\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/;
  return from + (remarks.exec(text.slice(from, endOfLine(text, from)))?.[0].length ?? 0);
}

/**
 * Removes whole lines, with the comments after `after` that belong to them, if nothing else is on these
 * lines; otherwise removes the range and the blanks after it.
 */
function wholeLines(
  text: string,
  { from, to, after }: { readonly from: number; readonly to: number; readonly after: number },
): Edit {
  const line = lineStart(text, from);
  const rest = endOfRemarks(text, to);
  const tail = /^[ \t]*(?:\r\n|\r|\n)/.exec(text.slice(rest));
  if (tail !== null && text.slice(line, from).trim() === '') {
    const start = ownCommentsStart(text, line, after);
    return { offset: start, length: rest + tail[0].length - start, content: '' };
  }
  const blanks = /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
  return { offset: from, length: to + blanks - from, content: '' };
}

/** The offset of the next token, if that is a comma. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const found = scanner.getTokenOffset();
  return text[found] === ',' ? found : undefined;
}

function replace(text: string, edit: Edit): string {
  return applyEdits(text, [edit]);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function endOfLine(text: string, offset: number): number {
  const found = text.slice(offset).search(/[\r\n]/);
  return found === -1 ? text.length : offset + found;
}

function indentAt(text: string, start: number): string {
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}
