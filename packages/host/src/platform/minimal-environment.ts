// The variables of the host that a started program gets: those that programs need to run at all, and those that its entry
// names. All others are left out, since they may be secrets of other programs.

const PASSED_ON: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'LANG',
  'TERM',
  'TMPDIR',
  'TZ',
]);

const PASSED_ON_BY_WINDOWS: ReadonlySet<string> = new Set([
  ...PASSED_ON,
  'ALLUSERSPROFILE',
  'APPDATA',
  'COMMONPROGRAMFILES',
  'COMMONPROGRAMFILES(X86)',
  'COMPUTERNAME',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'OS',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'PUBLIC',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERDOMAIN',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]);

/** Whether every program gets the variable on some system, so that it contains no secret. */
export function isPassedOn(name: string): boolean {
  const folded = name.toUpperCase();
  return PASSED_ON_BY_WINDOWS.has(folded) || folded.startsWith('LC_');
}

/** The few variables of `source` that every program may have, with `named` on top. */
export function minimalEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  named: Readonly<Record<string, string>>,
): Record<string, string> {
  const spelling = spellingOf(source);
  const isGiven = (name: string): boolean =>
    spelling.passedOn.has(spelling.fold(name)) || spelling.fold(name).startsWith('LC_');
  const overridden = new Set(Object.keys(named).map(spelling.fold));
  const inherited = Object.entries(source).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && isGiven(entry[0]) && !overridden.has(spelling.fold(entry[0])),
  );
  return Object.fromEntries([...inherited, ...Object.entries(named)]);
}

interface Spelling {
  readonly passedOn: ReadonlySet<string>;
  readonly fold: (name: string) => string;
}

/** Windows, recognized by its SystemRoot, ignores the case of names; other systems do not. */
function spellingOf(source: Readonly<Record<string, string | undefined>>): Spelling {
  const isWindows = Object.keys(source).some((name) => name.toUpperCase() === 'SYSTEMROOT');
  return isWindows
    ? { passedOn: PASSED_ON_BY_WINDOWS, fold: (name) => name.toUpperCase() }
    : { passedOn: PASSED_ON, fold: (name) => name };
}
