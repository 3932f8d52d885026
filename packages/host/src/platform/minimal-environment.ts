// Which of the host's variables a started program may see: what programs need to run at all, and
// what its entry names. Everything else stays here, since it may be a secret meant for someone else.

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

/** Whether every program is given the variable on some system, so that it holds no secret. */
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

/** Windows, which is known by its SystemRoot, does not tell `Path` from `PATH`; everyone else does. */
function spellingOf(source: Readonly<Record<string, string | undefined>>): Spelling {
  const isWindows = Object.keys(source).some((name) => name.toUpperCase() === 'SYSTEMROOT');
  return isWindows
    ? { passedOn: PASSED_ON_BY_WINDOWS, fold: (name) => name.toUpperCase() }
    : { passedOn: PASSED_ON, fold: (name) => name };
}
