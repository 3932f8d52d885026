// What `secret --help` teaches after the list of options.

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
