// A picture that is dropped on a terminal, or pasted as a file, arrives as a path: in quotes, with escaped spaces, or as a
// file URL. It becomes a mention, which adds the picture to the message. Pure.

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/iu;

/** The mention for a paste that is the path of one picture; `undefined` for any other text. */
export function droppedImage(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text.includes('\n')) return undefined;
  const path = pathOf(text);
  const isAbsolute = /^(?:\/|[A-Za-z]:[\\/])/u.test(path);
  if (!isAbsolute || !PICTURE.test(path) || path.includes('"')) return undefined;
  return `@"${path}" `;
}

function pathOf(text: string): string {
  const quoted = /^(['"])(.*)\1$/u.exec(text)?.[2];
  if (quoted !== undefined) return quoted;
  if (text.startsWith('file://')) return decoded(text.slice('file://'.length));
  // An unescaped space: this is a sentence that contains a path.
  return /(?<!\\) /u.test(text) ? '' : text.replaceAll(/\\(.)/gu, '$1');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A literal percent sign.
    return path;
  }
}
