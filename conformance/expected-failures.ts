// Reads the list of scenarios that may fail: the one key `client` and a list of names below it. The
// whole of YAML is not needed for that, and what is not understood is refused.

export function readExpectedFailures(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    const name = /^ {2}- ([\w./-]+)$/.exec(line)?.[1];
    if (name !== undefined) {
      if (names.has(name)) throw new Error(`line ${index + 1}: ${name} stands there twice`);
      names.add(name);
    } else if (line !== 'client:' && !/^\s*(?:#.*)?$/.test(line)) {
      throw new Error(`line ${index + 1}: neither a comment, nor "client:", nor "  - scenario"`);
    }
  }
  return names;
}
