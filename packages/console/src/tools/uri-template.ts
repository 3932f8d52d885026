// The URI templates of resources: their variables, and their expansion with values.
// https://www.rfc-editor.org/rfc/rfc6570, without lists and prefixes. Pure.

interface Style {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  readonly isReserved: boolean;
}

const PLAIN: Style = { first: '', separator: ',', isNamed: false, isReserved: false };

const STYLES: ReadonlyMap<string, Style> = new Map([
  ['+', { ...PLAIN, isReserved: true }],
  ['#', { ...PLAIN, first: '#', isReserved: true }],
  ['.', { ...PLAIN, first: '.', separator: '.' }],
  ['/', { ...PLAIN, first: '/', separator: '/' }],
  [';', { ...PLAIN, first: ';', separator: ';', isNamed: true }],
  ['?', { ...PLAIN, first: '?', separator: '&', isNamed: true }],
  ['&', { ...PLAIN, first: '&', separator: '&', isNamed: true }],
]);

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

/** The variables in the order of their use, each once. */
export function variablesOf(template: string): readonly string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, , list = '']) => namesIn(list));
  return [...new Set(names)];
}

function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.replace(/\*$|:\d+$/, '').trim())
    .filter((name) => name !== '');
}

/** Variables without a value are left out. */
export function expandTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template.replaceAll(EXPRESSION, (_, operator: string, list: string) => {
    const style = STYLES.get(operator) ?? PLAIN;
    const parts = namesIn(list)
      .map((name) => partOf(style, name, values.get(name)))
      .filter((part) => part !== undefined);
    return parts.length === 0 ? '' : style.first + parts.join(style.separator);
  });
}

function partOf(style: Style, name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = style.isReserved
    ? encodeURI(wellFormed(value))
    : encodeURIComponent(wellFormed(value));
  return style.isNamed ? `${name}=${text}` : text;
}

/** A lone surrogate cannot be encoded in a URI. */
function wellFormed(value: string): string {
  return value.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD');
}
