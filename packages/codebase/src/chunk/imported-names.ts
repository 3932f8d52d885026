// The names that an import statement brings into a file, and their module, read from the text of the statement:
// languages differ in their keywords, but in all of them the module is quoted or is the first path. Pure.

const NAME = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;
const QUOTED = /["'`<]([^"'`>\n]+)["'`>]/;
const FROM = /^\s*from\s+(\S+)\s+import\b(.*)$/s;
/** A module beside the file, or in the same tree by an alias. */
const BESIDE = /^(?:\.|\/|~|#|@\/|crate\b|self\b|super\b)/;
const WORDS =
  /\b(?:import|from|as|type|typeof|export|use|using|static|pub|package|include|namespace|function|const)\b/g;

export function importedNames(
  statement: string,
): readonly (readonly [string, string | undefined])[] {
  const python = FROM.exec(statement);
  if (python !== null) return all(python[2] ?? '', moduleOf(python[1] ?? '', 'first'));
  const quoted = QUOTED.exec(statement)?.[1];
  const rest = statement.replace(QUOTED, ' ').replace(WORDS, ' ');
  if (quoted !== undefined) {
    const last = /[^/]+$/.exec(quoted)?.[0]?.replace(/\.\w+$/, '') ?? '';
    // In Go the last part of the path is the name of the package.
    return [...all(rest, moduleOf(quoted, 'all')), ...all(last, moduleOf(quoted, 'all'))];
  }
  const path = rest.trim();
  return all(path, moduleOf(path, 'first'));
}

function all(
  text: string,
  module: string | undefined,
): readonly (readonly [string, string | undefined])[] {
  return (text.replace(WORDS, ' ').match(NAME) ?? []).map((name) => [name, module] as const);
}

function moduleOf(path: string, parts: 'first' | 'all'): string | undefined {
  if (BESIDE.test(path)) return undefined;
  const plain = path.toLowerCase();
  return parts === 'all' ? plain : /^[\w$\u0080-\uffff-]+/.exec(plain)?.[0];
}
