// Finds the files and the resources of servers that a message mentions with `@`. Pure; the caller reads them.

export type Mention =
  | { readonly kind: 'resource'; readonly server: string; readonly uri: string }
  | { readonly kind: 'path'; readonly path: string };

// Only at the beginning or after white space, so that an e-mail address is not a mention.
const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g;
const RESOURCE = /^([A-Za-z0-9_-]{1,64}):(\S+:.*)$/;
/** Punctuation at the end of a name belongs to the sentence. */
const TRAILING = /[.,;:!?)\]}]+$/;

export function mentionsIn(text: string): readonly Mention[] {
  const seen = new Set<string>();
  const found: Mention[] = [];
  for (const [, quoted, plain = ''] of text.matchAll(MENTION)) {
    const name = quoted ?? plain.replace(TRAILING, '');
    if (name === '' || seen.has(name)) continue;
    seen.add(name);
    found.push(mentionOf(name));
  }
  return found;
}

function mentionOf(name: string): Mention {
  const [, server, uri] = RESOURCE.exec(name) ?? [];
  return server === undefined || uri === undefined
    ? { kind: 'path', path: name }
    : { kind: 'resource', server, uri };
}
