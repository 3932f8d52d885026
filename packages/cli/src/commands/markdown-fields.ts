// Parses the fields at the top of a Markdown file, between two lines of dashes. Supports the part of YAML that such files
// use, without a dependency: a value on the line of its name, a list below it, or a text over several lines.

export interface MarkdownParts {
  readonly fields: ReadonlyMap<string, string>;
  /** The text below the fields. */
  readonly text: string;
}

/** A list becomes one text, with commas between the items. */
export function markdownParts(whole: string): MarkdownParts {
  const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/u.exec(whole);
  if (found === null) return { fields: new Map(), text: whole };
  const fields = new Map<string, string>();
  let key: string | undefined;
  for (const line of (found[1] ?? '').split(/\r?\n/u)) {
    const [, name, value = ''] = /^([\w-]+):(?:\s+(.*))?$/u.exec(line) ?? [];
    if (name !== undefined) {
      key = name;
      fields.set(name, /^[|>][+-]?$/u.test(value.trim()) ? '' : plain(value));
    } else if (key !== undefined && /^\s+\S|^-\s/u.test(line)) {
      fields.set(key, joined(fields.get(key) ?? '', line.trim()));
    }
  }
  return { fields, text: whole.slice(found[0].length) };
}

function joined(before: string, line: string): string {
  const [, item] = /^-\s+(.*)$/u.exec(line) ?? [];
  const [next, between] = item === undefined ? [line, ' '] : [plain(item), ', '];
  return before === '' ? next : `${before}${between}${next}`;
}

/** Removes quotes, and the brackets of a list on one line. */
function plain(value: string): string {
  const text = value.trim();
  const [, items] = /^\[(.*)\]$/u.exec(text) ?? [];
  if (items === undefined) return unquoted(text);
  return items.split(',').map(unquoted).join(', ');
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/u, '$2');
}
