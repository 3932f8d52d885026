// The plainest orders of an attack, written so that no word of them is one: l e t t e r s apart, with
// digits for letters, with dashes for spaces, backwards, or each letter turned by thirteen. Pure.

const ORDER =
  /(?:ignore|disregard|forget)(?:all|any|everything|the|of|your){0,4}(?:previous|prior|above|earlier|preceding|your|system|safety)[a-z]{0,12}(?:instruction|rule|guideline|prompt|direction|directive)|(?:donot|dont|never)(?:tell|mentionthis|mentionitto|inform|notify)(?:this)?(?:to)?(?:the)?user|(?:reveal|print|show|output)your(?:full|entire)?systemprompt/;

/** Cheap, and true wherever one of the disguises is worn. */
const DISGUISE =
  /[a-z][013457@$!|][a-z]|\b[1!|][a-z]{2}|(?:\b[a-z][^a-z0-9]{1,3}){5}|[a-z][_*.~^+=/\\-]{1,3}(?:all|any|prev|prior|the|your|sys|inst)|vtaber|vafgehp|erongi|snoitcur/;

const PLAINLY =
  /\b(?:ignor|disregard|forget)[a-z]*\b[\s\w'"]{0,40}\b(?:instruction|rule|guideline|prompt|direct)|\b(?:not|n't|never) (?:tell|mention|inform|notify)\b|\byour (?:\w+ )?system prompt/;

const LETTERS: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'i' },
};

/** The words, once they are found; nothing where they are written plainly, since then they can be read. */
export function disguisedIn(plain: string): string | undefined {
  if (!DISGUISE.test(plain)) return undefined;
  if (PLAINLY.test(plain)) return undefined;
  const squeezed = plain
    .replaceAll(/[013457@$!|]/g, (character) => LETTERS[character] ?? '')
    .replaceAll(/[^a-z]+/g, '');
  const readings = [squeezed, turned(squeezed), backwards(squeezed)];
  for (const reading of readings) {
    const [found] = ORDER.exec(reading) ?? [];
    if (found !== undefined) return found;
  }
  return undefined;
}

function turned(letters: string): string {
  return letters.replaceAll(/[a-z]/g, (letter) =>
    String.fromCodePoint(((letter.charCodeAt(0) - 97 + 13) % 26) + 97),
  );
}

function backwards(letters: string): string {
  return letters.split('').toReversed().join('');
}
