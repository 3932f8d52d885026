// Which environment variable a server misses, by what it complained of before it ended. Servers see no
// variables but those of their entry, so one that is set in the user's shell is missed all the same.

/** Of variables, and of hardly anything else that programs print. */
const NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/;
const COMPLAINT =
  /not set|not found|not defined|missing|require|undefined|must|need|provide|empty/i;
/** Codes of errors look the same. */
const CODE = /^(?:ERR|MODULE|UNABLE|DEPTH|CERT|SELF|EAI)_/;
const LONGEST_NAME = 64;

/** The first that a line complains of. */
export function missingVariable(stderr: readonly string[]): string | undefined {
  return stderr
    .filter((line) => COMPLAINT.test(line))
    .flatMap((line) => NAME.exec(line) ?? [])
    .find((name) => name.length <= LONGEST_NAME && !CODE.test(name));
}
