// What `--help` teaches after the list of options.

export const MAIN_HELP = `
Examples:
  $ plugboard add files --cwd project -- npx -y @modelcontextprotocol/server-filesystem .
  $ plugboard add docs https://example.com/mcp
  $ plugboard tools files
  $ plugboard call files read_text_file path=README.md

Servers are read from .mcp.json, .plugboard/settings.json and .claude/settings.json of the project,
and from your own settings. Results go to stdout, everything else to stderr.

Exit codes:
  0 ok   1 usage   2 tool or server   3 network   4 authorization   5 denied
  130 Ctrl-C   143 SIGTERM   129 SIGHUP`;

export const ADD_HELP = `
Scopes:
  local     you, in this project      .plugboard/settings.local.json
  project   everyone in this project  .mcp.json
  user      you, in every project     your own settings

Examples:
  $ plugboard add files --cwd project -- npx -y @modelcontextprotocol/server-filesystem .
  $ plugboard add -- npx -y @acme/server-notes        (the name is made: notes)
  $ plugboard add docs https://example.com/mcp --header 'Authorization: Bearer \${DOCS_TOKEN}'
  $ plugboard add db --scope user --env 'DSN=\${DATABASE_URL}' -- npx -y @bytebase/dbhub

A command of yours starts in an empty folder, unless --cwd says otherwise: project is the folder you are in.
Write secrets as \${VARIABLE}, in single quotes: the variable is read when the server starts.
A name that you leave out is made from the command or the URL. On a terminal, a command that you leave
out is asked for.`;

export const ADD_JSON_HELP = `
The entry may be alone, or with its name or a whole "mcpServers" block around it.

Examples:
  $ plugboard add-json files '{ "command": "npx", "args": ["-y", "some-server", "."] }'
  $ plugboard add-json files - --scope project < files.json`;

export const IMPORT_HELP = `
Hosts:
  claude-code  claude-desktop  cursor  vscode  windsurf  codex  gemini  opencode  zed  cline

Examples:
  $ plugboard import                       show what there is, and ask which to take
  $ plugboard import cursor --dry-run
  $ plugboard import --only github files
  $ plugboard import --all --scope local

Servers from files of the project at hand are only taken when you name them, or with
--scope project: the authors of the project chose them, not you.`;

export const SERVE_HELP = `
Addresses, with --http:
  /mcp               all servers; their tools are called SERVER__TOOL
  /mcp/SERVER        one server, with its own names
  /mcp/profile/NAME  what a profile of your settings chooses
  /console           with --console: a page that shows what happens

Clients send a token, which is made at the first start: "Authorization: Bearer TOKEN". It is in the file that the
command names. A call that no rule allows is asked about at the client, where that can ask, and denied elsewhere.

--mode search offers tools that find and call all others, in place of them; --mode code lets models write scripts, too.

Examples:
  $ plugboard serve                          one client, which starts it itself
  $ plugboard serve --http
  $ plugboard serve --http 8080 --include codebase,workspace
  $ plugboard serve --background             for all clients, until plugboard serve --stop`;

export const APPROVALS_HELP = `
A client that cannot ask its user leaves that to you: calls that no rule allows, and questions of servers, wait for an
answer as long as this command runs, or a page of the console is open, for up to five minutes. Else they are denied.

With --json it prints what waits, one line each, and reads answers from stdin, until that ends:
  {"id":"…","kind":"allow","remember":"once"}   or "session", "always"
  {"id":"…","kind":"deny"}`;

export const CONSOLE_HELP = `
The console is a page of a gateway on this machine. Its address has a token that works once; the browser gets a cookie
for it. Clients that are to be seen connect to the address that the command names, as to "plugboard serve --http".

Examples:
  $ plugboard console
  $ plugboard console --no-open --port 8080
  $ plugboard serve --console                the console of a gateway that is there for clients`;

export const CHECK_HELP = `
Each call is decided by your rules. Where they say nothing, it is asked about on a terminal and denied elsewhere, since the
file may have come with the folder; --yes says yes to all of them.

Exit codes: 0 all as expected, 2 some not as expected, 5 none failed but by a denial.

Examples:
  $ plugboard check
  $ plugboard check --yes --json             in CI, with "plugboard trust" or --trust-project for its servers`;

export const INSTALL_HELP = `
Clients:
  claude-code  claude-desktop  cursor  vscode  windsurf  codex  gemini  opencode  zed  cline

The change is shown first. Everything else in the file stays as it is, comments too, and a file that cannot be
understood is not touched. A client gets an entry "plugboard" in your own settings of it, in one file.

Examples:
  $ plugboard install cursor
  $ plugboard install --all --dry-run
  $ plugboard install vscode --http
  $ plugboard install --all --background   one gateway for all of them, which is started
  $ plugboard uninstall --all --yes`;

export const PINS_HELP = `
What a server says of its tools is accepted when it is first listed. Whatever is different later is kept
back, alone: no model sees it, and it cannot be called, until you accept it.

Examples:
  $ plugboard pins
  $ plugboard pins diff files
  $ plugboard pins accept files read_file`;

export const SNIPPETS_HELP = `
A snippet is the body of an async function over the tools of your servers:
  const issues = await tools.github.list_issues({ repo: 'plugboard' });
  return issues.length;
It runs while its file is what you approved; rules and approvals apply to each of its calls.

Examples:
  $ plugboard snippets add triage triage.ts
  $ plugboard snippets run triage
  $ plugboard snippets list`;

export const SECRET_HELP = `
Write \${secret:NAME} where a server's entry needs the value; it is read when the server starts:
  "headers": { "Authorization": "Bearer \${secret:NAME}" }

Examples:
  $ plugboard secret set GITHUB_TOKEN
  $ plugboard secret list
  $ plugboard secret remove GITHUB_TOKEN`;

export const SECRET_SET_HELP = `
The value is never an argument: other programs see the arguments of all that run, and your shell keeps
them in its history. Type it when you are asked, or pipe it in. One line break at its end is left out.

Examples:
  $ plugboard secret set GITHUB_TOKEN
  $ pass show github | plugboard secret set GITHUB_TOKEN
  $ plugboard secret set CLIENT_KEY < client.pem`;

export const LOGIN_HELP = `
A browser is opened, and comes back by itself. Over SSH, and where there is no screen, the address is
shown instead: open it in any browser, and paste the address of the page where that ends.

Examples:
  $ plugboard login docs
  $ plugboard login docs --account work
  $ plugboard login docs --device`;

export const AUTH_IMPORT_HELP = `
What is piped in is what a token endpoint answers, with the id of the client that it answered:
  { "access_token": "…", "refresh_token": "…", "expires_in": 3600, "client_id": "…" }
It may also name its "issuer" and "resource"; else the server is asked which they are.

Examples:
  $ plugboard auth import docs < tokens.json
  $ vault read -format=json docs | plugboard auth import docs --account ci`;

export const PLUGIN_HELP = `
Examples:
  $ plugboard plugin add ./my-plugin
  $ plugboard plugin add files.mcpb --set folders=~/Documents --set folders=~/Music
  $ plugboard plugin configure files

A plugin's servers are called plugin:NAME:SERVER. None of them starts before you trust it.`;

export const CALL_HELP = `
How to write arguments:
  key=text    text; a number, boolean, list or object where the tool takes nothing else
  key:=json   any JSON value: limit:=10, tags:='["a","b"]'
  key=@file   the text of a file
  key:=@file  the JSON in a file
  {"key":…}   all of them as one JSON object, also with --args; - reads it from stdin

Examples:
  $ plugboard call everything echo message=hello
  $ plugboard call everything get-sum '{"a":2,"b":3}' --json
  $ plugboard call everything get-tiny-image --save pictures
  $ plugboard call --url https://example.com/mcp search query=mcp --timeout 30s
  $ plugboard call --stdio 'npx -y @modelcontextprotocol/server-everything' echo message=hello`;

export const READ_HELP = `
Examples:
  $ plugboard read demo://resource/static/document/features.md
  $ plugboard read 'demo://resource/dynamic/text/{resourceId}' resourceId=3
  $ plugboard read demo://resource/dynamic/blob/1 --server everything > file.bin`;

export const PROMPT_HELP = `
Examples:
  $ plugboard prompt simple-prompt
  $ plugboard prompt args-prompt city=Paris --server everything`;

export const COMPLETE_HELP = `
Examples:
  $ plugboard complete completable-prompt department Eng
  $ plugboard complete completable-prompt name --with department=Engineering
  $ plugboard complete 'demo://resource/dynamic/text/{resourceId}' resourceId`;

export const SKILLS_HELP = `
What a skill says comes from its server. It is shown only if it is what the server listed.

Examples:
  $ plugboard skills
  $ plugboard skills pdf-processing
  $ plugboard skills pdf-processing --file references/FORMS.md`;

export const PERMISSIONS_HELP = `
Rules are in the settings, under "permissions": "allow", "ask" and "deny". Nothing is started or called.
A rule is written for you in this project (local); --scope project is for everyone in it, and --scope user for
you everywhere. --allow goes into your own settings: what came with a folder cannot allow anything.

Examples:
  $ plugboard permissions
  $ plugboard permissions files/write_file --deny
  $ plugboard permissions files/write_file --remove
  $ plugboard permissions files/write_file path=/etc/passwd
  $ plugboard permissions mcp__github__create_issue --json`;

export const LABELS_HELP = `
A tool may read private data (private), bring text that a stranger may have written (foreign), send something out or
change the world (out). In a conversation that has read private data and foreign text, a call that sends something out
is asked about even where a rule allows it. Labels are written into your own settings. Nothing is started or called.

Examples:
  $ plugboard labels
  $ plugboard labels mail/send_mail --set out
  $ plugboard labels notes/* --set private
  $ plugboard labels mail/send_mail --reset`;

export const COMPLETION_HELP = `
Commands, options, servers, tools and their arguments are completed, without starting a server:
a tool is known once it was listed.

Examples:
  $ eval "$(plugboard completion bash)"                                   # in ~/.bashrc
  $ eval "$(plugboard completion zsh)"                                    # in ~/.zshrc, after compinit
  $ plugboard completion fish > ~/.config/fish/completions/plugboard.fish`;
