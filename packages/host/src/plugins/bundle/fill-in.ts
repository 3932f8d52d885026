// Fills in the variables of a bundle's manifest. The result is an entry as people write them: literal text
// stays literal when our own variables are expanded afterwards, and secrets are still references.

/** The value of a variable. `reference` becomes one of our placeholders, which is expanded later. */
export type VariableValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'reference'; readonly to: string }
  /** An unanswered optional question. */
  | { readonly kind: 'nothing' };

/** Takes the text between `${` and `}`; `undefined` if it is not a variable of the manifest. */
export type VariableLookup = (variable: string) => VariableValue | undefined;

/** A `$` directly before a reference would make it literal; this variable contains a `$` for that case. */
export const DOLLAR = { name: 'PLUGIN_DOLLAR', value: '$' } as const;

/** Fills in one text. A list is joined with commas. */
export function fillIn(template: string, lookup: VariableLookup): string {
  return render(templateParts(template, lookup).map(flat));
}

/** Fills in one argument. If it consists of a list only, each item becomes an argument. */
export function fillInArgument(template: string, lookup: VariableLookup): readonly string[] {
  const parts = templateParts(template, lookup);
  const [only, ...rest] = parts;
  if (only?.kind === 'list' && rest.length === 0) {
    return only.items.map((text) => render([{ kind: 'text', text }]));
  }
  return [render(parts.map(flat))];
}

/** Fills in an environment variable; `undefined` if it consists of an unanswered question only. */
export function fillInVariable(template: string, lookup: VariableLookup): string | undefined {
  const parts = templateParts(template, lookup);
  const isUnanswered = parts.length === 1 && parts[0]?.kind === 'nothing';
  return isUnanswered ? undefined : render(parts.map(flat));
}

function templateParts(template: string, lookup: VariableLookup): readonly VariableValue[] {
  const parts: VariableValue[] = [];
  let end = 0;
  for (const { index, 0: found, 1: variable = '' } of template.matchAll(/\$\{([^{}]*)\}/g)) {
    if (index > end) parts.push({ kind: 'text', text: template.slice(end, index) });
    parts.push(lookup(variable) ?? { kind: 'reference', to: variable });
    end = index + found.length;
  }
  if (end < template.length) parts.push({ kind: 'text', text: template.slice(end) });
  return parts;
}

type FlatValue = Extract<VariableValue, { kind: 'text' | 'reference' }>;

function flat(value: VariableValue): FlatValue {
  switch (value.kind) {
    case 'text':
    case 'reference':
      return value;
    case 'list':
      return { kind: 'text', text: value.items.join(',') };
    case 'nothing':
      return { kind: 'text', text: '' };
    default:
      return value satisfies never;
  }
}

/** Joins texts before escaping: a `$` at the end of one and a `{` at the start of the next are a pair. */
function render(parts: readonly FlatValue[]): string {
  let done = '';
  let text = '';
  for (const part of parts) {
    if (part.kind === 'text') {
      text += part.text;
    } else {
      done += `${escapePlaceholders(text).replace(/\$+$/, (run) => `\${${DOLLAR.name}}`.repeat(run.length))}\${${part.to}}`;
      text = '';
    }
  }
  return done + escapePlaceholders(text);
}

/** `$${` stands for a literal `${`; see expand.ts. */
function escapePlaceholders(text: string): string {
  return text.replaceAll('${', () => '$${');
}
