// A key press, independent of the bytes that the terminal sends for it.

export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | Press;

/** A key that is not text by itself: `enter`, `up`, or a letter together with Ctrl or Alt. */
export interface Press {
  readonly kind: 'press';
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export function press(name: string, held: Partial<Omit<Press, 'kind' | 'name'>> = {}): Press {
  return { kind: 'press', name, ctrl: false, alt: false, shift: false, ...held };
}

/** The name of a key with its modifiers, such as `ctrl-a`, `alt-enter` or `up`. */
export function chordOf({ name, ctrl, alt, shift }: Press): string {
  return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${shift ? 'shift-' : ''}${name}`;
}

/** The name of any key: a typed character is its own name; a paste and longer text have none. */
export function wordOf(key: Key): string {
  if (key.kind === 'press') return chordOf(key);
  return key.kind === 'text' && key.text.length === 1 ? key.text : '';
}
