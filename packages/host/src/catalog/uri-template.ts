// URI templates of servers (RFC 6570): expands them with values, and matches them with addresses. Both are bounded and
// take time in proportion to their input: a template is hostile, and is never turned into a regular expression. Pure.

import { err, ok, type Result } from '@plugboard/base';

export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>>;

export type TemplateProblem =
  | { readonly kind: 'bad-template'; readonly template: string }
  | { readonly kind: 'too-long'; readonly limit: number };

const MAX_TEMPLATE_LENGTH = 2048;
const MAX_EXPRESSIONS = 64;
const MAX_EXPANDED_LENGTH = 8192;

interface Variable {
  readonly name: string;
  /** Each item of a list or field of an object is expanded by itself: `{list*}`. */
  readonly isExploded: boolean;
  /** The maximum number of characters: `{name:3}`. */
  readonly prefix: number | undefined;
}

type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'expression';
      readonly operator: Operator;
      readonly variables: readonly Variable[];
    };

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  readonly ifEmpty: string;
  readonly allowsReserved: boolean;
}

/** https://www.rfc-editor.org/rfc/rfc6570#appendix-A */
const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  (
    [
      ['', '', ',', false, '', false],
      ['+', '', ',', false, '', true],
      ['#', '#', ',', false, '', true],
      ['.', '.', '.', false, '', false],
      ['/', '/', '/', false, '', false],
      [';', ';', ';', true, '', false],
      ['?', '?', '&', true, '=', false],
      ['&', '&', '&', true, '=', false],
    ] as const
  ).map(([sign, first, separator, isNamed, ifEmpty, allowsReserved]) => [
    sign,
    { first, separator, isNamed, ifEmpty, allowsReserved },
  ]),
);

const VARIABLE = /^((?:[A-Za-z0-9_.-]|%[0-9A-Fa-f]{2})+)(?::([1-9]\d{0,3})|(\*))?$/;

/** The pieces of a template; `undefined` if it is invalid. */
function parse(template: string): readonly Piece[] | undefined {
  if (template.length > MAX_TEMPLATE_LENGTH) return undefined;
  const pieces: Piece[] = [];
  let expressions = 0;
  for (let at = 0; at < template.length;) {
    const open = template.indexOf('{', at);
    const literal = template.slice(at, open === -1 ? undefined : open);
    if (literal.includes('}')) return undefined;
    if (literal !== '') pieces.push({ kind: 'literal', text: literal });
    if (open === -1) break;
    const close = template.indexOf('}', open);
    expressions += 1;
    if (close === -1 || expressions > MAX_EXPRESSIONS) return undefined;
    const expression = parseExpression(template.slice(open + 1, close));
    if (expression === undefined) return undefined;
    pieces.push(expression);
    at = close + 1;
  }
  return pieces;
}

function parseExpression(text: string): Piece | undefined {
  const sign = text !== '' && OPERATORS.has(text[0] ?? '') ? (text[0] ?? '') : '';
  const operator = OPERATORS.get(sign);
  if (operator === undefined) return undefined;
  const variables: Variable[] = [];
  for (const written of text.slice(sign.length).split(',')) {
    const [, name, length, star] = VARIABLE.exec(written) ?? [];
    if (name === undefined) return undefined;
    const prefix = length === undefined ? undefined : Number(length);
    variables.push({ name, prefix, isExploded: star !== undefined });
  }
  return { kind: 'expression', operator, variables };
}

/** The names of the variables in their order; empty for an invalid template. */
export function templateVariables(template: string): readonly string[] {
  const names = (parse(template) ?? []).flatMap((piece) =>
    piece.kind === 'literal' ? [] : piece.variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}

/** The expanded address. A variable without a value is omitted, as the standard requires. */
export function expandTemplate(
  template: string,
  values: Readonly<Record<string, TemplateValue>>,
): Result<string, TemplateProblem> {
  const pieces = parse(template);
  if (pieces === undefined) return err({ kind: 'bad-template', template });
  let expanded = '';
  for (const piece of pieces) {
    expanded +=
      piece.kind === 'literal' ? encode(piece.text, true) : expandExpression(piece, values);
    if (expanded.length > MAX_EXPANDED_LENGTH) {
      return err({ kind: 'too-long', limit: MAX_EXPANDED_LENGTH });
    }
  }
  return ok(expanded);
}

function expandExpression(
  { operator, variables }: Piece & { readonly kind: 'expression' },
  values: Readonly<Record<string, TemplateValue>>,
): string {
  const written = variables.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    return value === undefined ? [] : expandValue(operator, variable, value);
  });
  return written.length === 0 ? '' : operator.first + written.join(operator.separator);
}

function expandValue(
  operator: Operator,
  { name, prefix, isExploded }: Variable,
  value: TemplateValue,
): readonly string[] {
  const text = (raw: string): string => encode(raw, operator.allowsReserved);
  const named = (key: string, written: string): string =>
    operator.isNamed ? key + (written === '' ? operator.ifEmpty : `=${written}`) : written;
  if (typeof value === 'string') {
    const part = prefix === undefined ? value : Array.from(value).slice(0, prefix).join('');
    return [named(name, text(part))];
  }
  if (Array.isArray(value)) {
    const items = (value as readonly string[]).map(text);
    if (items.length === 0) return [];
    return isExploded ? items.map((item) => named(name, item)) : [named(name, items.join(','))];
  }
  const fields = Object.entries(value as Readonly<Record<string, string>>);
  if (fields.length === 0) return [];
  return isExploded
    ? fields.map(([key, field]) => `${text(key)}=${text(field)}`)
    : [named(name, fields.flatMap(([key, field]) => [text(key), text(field)]).join(','))];
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;
const RESERVED = /[:/?#[\]@!$&'()*+,;=]/;
const ESCAPED = /^%[0-9A-Fa-f]{2}/;

function encode(text: string, allowsReserved: boolean): string {
  let encoded = '';
  for (let at = 0; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const isEscape = allowsReserved && ESCAPED.test(text.slice(at, at + 3));
    const isPlain = UNRESERVED.test(character) || (allowsReserved && RESERVED.test(character));
    encoded += isPlain || isEscape ? character : percentEncode(character);
    at += character.length;
  }
  return encoded;
}

function percentEncode(character: string): string {
  return Array.from(new TextEncoder().encode(character))
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/** Whether the address can be an expansion of the template. */
export function fitsTemplate(template: string, uri: string): boolean {
  const pieces = parse(template);
  if (pieces === undefined || uri.length > MAX_EXPANDED_LENGTH) return false;
  // All positions at which the pieces so far can end, so that no position is tried twice.
  let reached = new Set([0]);
  for (const piece of pieces) {
    reached =
      piece.kind === 'literal'
        ? afterLiteral(uri, encode(piece.text, true), reached)
        : afterExpression(uri, piece.operator, reached);
    if (reached.size === 0) return false;
  }
  return reached.has(uri.length);
}

function afterLiteral(uri: string, text: string, from: ReadonlySet<number>): Set<number> {
  const after = new Set<number>();
  for (const at of from) if (uri.startsWith(text, at)) after.add(at + text.length);
  return after;
}

/** All positions at which an expression can end, each visited once. */
function afterExpression(uri: string, operator: Operator, from: ReadonlySet<number>): Set<number> {
  const { first, separator } = operator;
  const after = new Set(from);
  let isOn = false;
  for (let at = 0; at <= uri.length; at += 1) {
    if (isOn) after.add(at);
    if (from.has(at) && (first === '' || uri.startsWith(first, at))) isOn = true;
    const character = uri[at] ?? '';
    const isInside =
      UNRESERVED.test(character) ||
      ['%', ',', '=', separator].includes(character) ||
      (operator.allowsReserved && RESERVED.test(character)) ||
      (character === first && from.has(at));
    if (!isInside) isOn = false;
  }
  return after;
}
