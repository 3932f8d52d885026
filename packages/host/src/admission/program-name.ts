// What a word of a command line runs: `/usr/bin/bash` and `C:\Windows\cmd.EXE` by their plain names.

export function programName(word: string): string {
  const file = word.split(/[/\\]/).at(-1) ?? '';
  return file.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
}
