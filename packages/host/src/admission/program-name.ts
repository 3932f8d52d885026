// The plain name of a program in a command line: `bash` for `/usr/bin/bash`, `cmd` for `C:\Windows\cmd.EXE`.

export function programName(word: string): string {
  const file = word.split(/[/\\]/).at(-1) ?? '';
  return file.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
}
