// What `plugboard import --help` teaches after the list of options.

export const IMPORT_HELP = `
Hosts:
  claude-code  claude-desktop  cursor  vscode  windsurf  codex  gemini  opencode  zed  cline

Examples:
  $ plugboard import                       show what there is, and ask which to take
  $ plugboard import cursor --dry-run
  $ plugboard import --only github files
  $ plugboard import --all --scope local

Servers from files of the project at hand are only taken when you name them, or with
--scope project: whoever wrote the project chose them, not you.`;
