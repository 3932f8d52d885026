// The variables of a bundle's manifest, filled in so that the result is an entry as people write them: what
// is literal stays literal when our own variables are expanded afterwards, and what must stay secret is
// still only a reference.

/** What a variable stands for. `reference` is a placeholder of ours and is left for later. */
export type VariableValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'reference'; readonly to: string }
  /** A question that was not answered and need not be. */
  | { readonly kind: 'nothing' };

/** By what is between `${` and `}`; undefined for what the manifest has no variable for. */
export type VariableLookup = (variable: string) => VariableValue | undefined;

/** A `$` before a reference would make it a literal; this variable holds one. */
export const DOLLAR = { name: 'PLUGIN_DOLLAR', value: '$' } as const;

/** One text. A list is joined with commas. */
export function fillIn(template: string, fillings: VariableLookup): string {
  return render(templateParts(template, fillings).map(flat));
}

/** One argument: a list that stands alone becomes as many arguments. */
export function fillInArgument(template: string, fillings: VariableLookup): readonly string[] {
  const parts = templateParts(template, fillings);
  const [only, ...rest] = parts;
  if (only?.kind === 'list' && rest.length === 0) {
    return only.items.map((text) => render([{ kind: 'text', text }]));
  }
  return [render(parts.map(flat))];
}

/** The value of a variable of the environment; undefined if it is better not set at all. */
export function fillInVariable(template: string, fillings: VariableLookup): string | undefined {
  const parts = templateParts(template, fillings);
  const isUnanswered = parts.length === 1 && parts[0]?.kind === 'nothing';
  return isUnanswered ? undefined : render(parts.map(flat));
}

function templateParts(template: string, fillings: VariableLookup): readonly VariableValue[] {
  const parts: VariableValue[] = [];
  let end = 0;
  for (const { index, 0: found, 1: variable = '' } of template.matchAll(/\$\{([^{}]*)\}/g)) {
    if (index > end) parts.push({ kind: 'text', text: template.slice(end, index) });
    parts.push(fillings(variable) ?? { kind: 'reference', to: variable });
    end = index + found.length;
  }
  if (end < template.length) parts.push({ kind: 'text', text: template.slice(end) });
  return parts;
}

type FlatValue = Extract<VariableValue, { kind: 'text' | 'reference' }>;

function flat(filling: VariableValue): FlatValue {
  switch (filling.kind) {
    case 'text':
    case 'reference':
      return filling;
    case 'list':
      return { kind: 'text', text: filling.items.join(',') };
    case 'nothing':
      return { kind: 'text', text: '' };
    default:
      return filling satisfies never;
  }
}

/** Texts are put together first: a `$` at the end of one and a `{` at the start of the next are a pair. */
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
