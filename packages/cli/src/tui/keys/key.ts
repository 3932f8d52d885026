// A key that the user pressed, whatever bytes their terminal sent for it.

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

/** `ctrl-a`, `alt-enter`, `up`: one word for each, to look it up by. */
export function chordOf({ name, ctrl, alt, shift }: Press): string {
  return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${shift ? 'shift-' : ''}${name}`;
}

/** The same for any key: one character that was typed stands for itself, and a paste for nothing. */
export function wordOf(key: Key): string {
  if (key.kind === 'press') return chordOf(key);
  return key.kind === 'text' && key.text.length === 1 ? key.text : '';
}
