// The examples and explanations that `--help` prints after the options.

export const MAIN_HELP = `
Examples:
  $ plugboard add files --cwd project -- npx -y @modelcontextprotocol/server-filesystem .
  $ plugboard add docs https://example.com/mcp
  $ plugboard tools files
  $ plugboard call files read_text_file path=README.md

Servers are read from .mcp.json, .plugboard/settings.json and .claude/settings.json of the project,
from your own settings, and from Claude Code. Results go to stdout, everything else to stderr.

Exit codes:
  0 ok   1 usage   2 tool or server   3 network   4 authorization   5 denied
  130 Ctrl-C   143 SIGTERM   129 SIGHUP`;

export const GENERATE_HELP = `
The file exports a function that takes a host of @plugboard/host, and returns an object with a function for each tool. The
compiler then checks the names and arguments of tools, and knows what those with an output schema return.

Examples:
  $ plugboard generate everything --output src/everything.ts
  $ plugboard generate everything --output src/everything.ts --check     in CI: exit code 2 if the server has changed`;

export const ADD_HELP = `
Scopes:
  local     you, in this project      .plugboard/settings.local.json
  project   everyone in this project  .mcp.json
  user      you, in every project     your own settings

Examples:
  $ plugboard add files --cwd project -- npx -y @modelcontextprotocol/server-filesystem .
  $ plugboard add -- npx -y @acme/server-notes        (gets the name notes)
  $ plugboard add docs https://example.com/mcp --header 'Authorization: Bearer \${DOCS_TOKEN}'
  $ plugboard add db --scope user --env 'DSN=\${DATABASE_URL}' -- npx -y @bytebase/dbhub

The command starts in an empty folder, unless --cwd says otherwise; "--cwd project" is the folder you are in.
Write secrets as \${VARIABLE}, in single quotes: the variable is read when the server starts.
Without a name, one is derived from the command or the URL. Without a command, you are asked for it on a terminal.`;

export const ADD_JSON_HELP = `
The JSON may be the entry alone, the entry with its name, or a whole "mcpServers" block.

Examples:
  $ plugboard add-json files '{ "command": "npx", "args": ["-y", "some-server", "."] }'
  $ plugboard add-json files - --scope project < files.json`;

export const IMPORT_HELP = `
Hosts:
  claude-code  claude-desktop  cursor  vscode  windsurf  codex  gemini  opencode  zed  cline

Examples:
  $ plugboard import                       shows all servers, and asks which to copy
  $ plugboard import cursor --dry-run
  $ plugboard import --only github files
  $ plugboard import --all --scope local

Servers from files of the current project are only copied if you name them, or with
--scope project: the authors of the project chose them, not you.`;

export const SERVE_HELP = `
Addresses, with --http:
  /mcp               all servers; their tools are called SERVER__TOOL
  /mcp/SERVER        one server, with its own names
  /mcp/profile/NAME  the servers and tools of a profile of your settings
  /console           with --console: a web page that shows the traffic

Clients send a token: "Authorization: Bearer TOKEN". The first start creates it, in the file that the command prints.

If no rule decides about a call, the gateway asks the user of the client. If the client cannot ask, the call waits for
an answer in "plugboard approvals" or in the console; if neither is open, it is denied.

With --mode search, clients get a few tools that find and call all others; with --mode code, models can also write scripts.

Examples:
  $ plugboard serve                          for one client, which starts it
  $ plugboard serve --http
  $ plugboard serve --http 8080 --include codebase,workspace
  $ plugboard serve --background             for all clients, until plugboard serve --stop`;

export const APPROVALS_HELP = `
Some clients cannot ask their user. While this command runs, or a page of the console is open, their calls that no rule
decides, and the questions of servers, wait for your answer for up to five minutes. Otherwise they are denied.

With --json, the command prints one line for each question and reads answers from stdin, until stdin ends:
  {"id":"…","kind":"allow","remember":"once"}   or "session", "always"
  {"id":"…","kind":"deny"}`;

export const CONSOLE_HELP = `
The console is a page of a gateway on this machine. Its address contains a token that works once, which the browser
exchanges for a cookie. To see the calls of a client, connect it to the address that the command prints.

Examples:
  $ plugboard console
  $ plugboard console --no-open --port 8080
  $ plugboard serve --console                the console of a gateway that serves clients`;

export const CHECK_HELP = `
Your rules decide about each call. If no rule covers a call, you are asked on a terminal, and elsewhere it is denied, since
the file may have come with the folder. --yes approves all of them.

Exit codes: 0 all as expected, 2 some not as expected, 5 the only failures are denials.

Examples:
  $ plugboard check
  $ plugboard check --yes --json             in CI, with "plugboard trust" or --trust-project for its servers`;

const CLIENTS = `
Clients:
  claude-code  claude-desktop  cursor  vscode  windsurf  codex  gemini  opencode  zed  cline`;

export const INSTALL_HELP = `${CLIENTS}

The gateway is one entry, "plugboard", in your own settings of each client. The command shows the change first. The rest
of the file stays as it is, including comments, and a file that cannot be parsed is not touched.

Examples:
  $ plugboard install cursor
  $ plugboard install --all --dry-run
  $ plugboard install vscode --http
  $ plugboard install --all --background   starts one gateway for all of them`;

export const UNINSTALL_HELP = `${CLIENTS}

The command removes the entry "plugboard" from your own settings of each client. It shows the change first. The rest of
the file stays as it is.

Examples:
  $ plugboard uninstall cursor
  $ plugboard uninstall --all --dry-run
  $ plugboard uninstall --all --yes`;

export const PINS_HELP = `
The tools of a server are accepted as they are when they are first listed. A tool that is new or different later
is kept back: no model sees it, and it cannot be called, until you accept it. The other tools still work.

Examples:
  $ plugboard pins
  $ plugboard pins diff files
  $ plugboard pins accept files read_file`;

export const SNIPPETS_HELP = `
A snippet is the body of an async function that uses the tools of your servers:
  const issues = await tools.github.list_issues({ repo: 'plugboard' });
  return issues.length;
It runs only while its file is as you approved it; rules and approvals apply to each of its calls.

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
The value is never an argument: other programs can see the arguments of a command, and your shell keeps
them in its history. Type it when you are asked, or pipe it in. One line break at its end is removed.

Examples:
  $ plugboard secret set GITHUB_TOKEN
  $ pass show github | plugboard secret set GITHUB_TOKEN
  $ plugboard secret set CLIENT_KEY < client.pem`;

export const LOGIN_HELP = `
The command opens your browser and waits until you have signed in. Over SSH, and without a display, it shows
the address instead: open it in any browser, and paste the address of the page where you end up.

Examples:
  $ plugboard login docs
  $ plugboard login docs --account work
  $ plugboard login docs --device`;

export const AUTH_IMPORT_HELP = `
Pipe in the answer of a token endpoint, with the id of the client that it was issued to:
  { "access_token": "…", "refresh_token": "…", "expires_in": 3600, "client_id": "…" }
It may also contain "issuer" and "resource"; without them, Plugboard asks the server.

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
  key=text    text; a number, boolean, list or object if the tool accepts nothing else
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
The text of a skill comes from its server. It is shown only if it matches what the server listed.

Examples:
  $ plugboard skills
  $ plugboard skills pdf-processing
  $ plugboard skills pdf-processing --file references/FORMS.md`;

export const PERMISSIONS_HELP = `
Rules are in the settings, under "permissions": "allow", "ask" and "deny". This command starts and calls nothing.
By default a rule counts for you in this project (local); with --scope project for everyone in it, and with
--scope user for you everywhere. --allow is written to your own settings, because a project cannot allow anything.

Examples:
  $ plugboard permissions
  $ plugboard permissions files/write_file --deny
  $ plugboard permissions files/write_file --remove
  $ plugboard permissions files/write_file path=/etc/passwd
  $ plugboard permissions mcp__github__create_issue --json`;

export const LABELS_HELP = `
A tool may read private data (private), return text that a stranger may have written (foreign), and send something out
or change the world (out). Once a conversation has read private data and foreign text, you are asked about every call
that sends something out, even if a rule allows it. Labels are written to your own settings. Nothing is started or called.

Examples:
  $ plugboard labels
  $ plugboard labels mail/send_mail --set out
  $ plugboard labels notes/* --set private
  $ plugboard labels mail/send_mail --reset`;

export const COMPLETION_HELP = `
The script completes commands, options, servers, tools and their arguments. It starts no server: it knows the tools
that were listed before.

Examples:
  $ eval "$(plugboard completion bash)"                                   # in ~/.bashrc
  $ eval "$(plugboard completion zsh)"                                    # in ~/.zshrc, after compinit
  $ plugboard completion fish > ~/.config/fish/completions/plugboard.fish`;
