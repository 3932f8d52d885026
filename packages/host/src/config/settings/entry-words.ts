// What each field of an entry is for, in a sentence for people: editors show it, and docs/settings.md lists it.
// The type follows the shapes, so that no field stays without words. No command loads this to run.

import type { entryShape } from '../fields/index.ts';

/** The words for the fields inside values of a shape, whether in a list, by name or directly. */
export type WordsOf<S> = S extends { readonly form: { readonly shapes: infer F } }
  ? { readonly [Key in keyof F]: FieldWords<F[Key]> }
  : S extends { readonly form: { readonly item: infer Item } }
    ? WordsOf<Item>
    : never;

type FieldWords<S> = [WordsOf<S>] extends [never]
  ? string
  : { readonly about: string; readonly fields: WordsOf<S> };

export const ENTRY_WORDS: WordsOf<typeof entryShape> = {
  type: 'How the server is reached. Left out, a "command" is started, and a "url" is tried as http, then as sse.',
  command: 'The program to start, without a shell. ${VAR} and ${VAR:-default} are filled in.',
  args: 'The arguments of the program, one text each. ${VAR} and ${VAR:-default} are filled in.',
  env: 'Variables for the program, added to a minimal environment. Write secrets as ${VAR}.',
  cwd: 'The folder in which the program starts, or the "headersHelper": "project" for the one that you work in, or a path that is relative to the folder that the file belongs to. Left out, a server of a project starts in the project, and any other in an empty folder of Plugboard\'s own.',
  envFile: 'A file of NAME=value lines with more variables for the program.',
  url: 'The address of the server. ${VAR} and ${VAR:-default} are filled in.',
  headers: 'HTTP headers for every request. Write secrets as ${VAR}.',
  headersHelper:
    'A command that prints HTTP headers as a JSON object. It runs before each connection.',
  oauth: {
    about: 'How to sign in at the server. What is left out is found out from the server.',
    fields: {
      clientId: 'The id of a client that is registered with the authorization server.',
      clientSecret: 'The secret of that client. Written as ${secret:NAME}.',
      privateKey: 'The key of that client in place of a secret, in PEM. Written as ${secret:NAME}.',
      privateKeyAlgorithm: 'What the key signs with: ES256 unless given.',
      clientMetadataUrl: 'The https address of a document that describes the client.',
      callbackPort: 'The local port to which the browser returns after signing in.',
      callbackHost:
        'How this machine is called in the address to which the browser returns: "127.0.0.1" (unless given), or "localhost" for a client that is registered with http://localhost:PORT/callback.',
      authServerMetadataUrl:
        'Where the metadata of the authorization server is, if not found. With `issuer`, it must be of that one.',
      issuer: 'The only authorization server that is used, wherever its metadata is.',
      scopes: 'The scopes to ask for: a list, or a text with spaces between them.',
      account: 'A name for whom to sign in as, where one server is used by several accounts.',
      grant:
        'How tokens are got: "authorization_code" unless given, "client_credentials" or "jwt-bearer".',
      assertion: 'For "jwt-bearer": the token of the workload. Written as ${secret:NAME}.',
      dpop: 'Whether tokens are bound to a key. Left out, if the server asks for it.',
      xaa: {
        about:
          'Whether an identity provider vouches for you (Cross-App Access): true takes the one of "identityProvider" in your own settings. An object names another one.',
        fields: {
          issuer: 'The address of the identity provider.',
          tokenEndpoint: 'Where it gives tokens. Left out, its metadata says so.',
          clientId: 'The id of a client that is registered there.',
          clientSecret: 'The secret of that client. Written as ${secret:NAME}.',
          idToken: 'A token of the person, in place of a sign-in. Written as ${secret:NAME}.',
          callbackPort: 'The local port to which the browser returns after signing in there.',
          callbackHost: 'How this machine is called in that address: "127.0.0.1" or "localhost".',
        },
      },
    },
  },
  disabled: 'Whether the server is left out: shown, but never started or connected to.',
  timeout:
    'Milliseconds without a sign of life after which a call fails: 300000 unless given. Progress starts it over.',
  hardTimeout:
    'Milliseconds after which a call fails whatever the server shows: 3600000 unless given, or "timeout" where that is longer.',
  connectTimeout:
    'Milliseconds after which connecting fails: 30000 unless given. What npx, uvx and the like take to fetch it does not count, for up to five minutes.',
  listTimeout: 'Milliseconds after which listing what the server has fails: 15000 unless given.',
  idleTimeout:
    'Milliseconds without use after which a "lazy" server that runs here is stopped: 600000 unless given.',
  heartbeat:
    'Milliseconds between signs of life that are asked for while connected; a missed one starts reconnection. Left out: what the program says, and by default none. "off": none, whatever the program says.',
  reconnect: {
    about: 'How a remote server that was lost is tried again.',
    fields: {
      maxAttempts: 'How often it is tried: 5 times unless given. 0 means never.',
      delayMs:
        'Milliseconds before the first try, 1000 unless given. Each later pause is twice as long.',
      maxDelayMs: 'Milliseconds that no pause is longer than: 30000 unless given.',
    },
  },
  tools: {
    about: 'Which tools of the server are on offer. Patterns may hold *.',
    fields: {
      include: 'Only tools that match one of these patterns.',
      exclude: 'No tools that match one of these patterns, whatever "include" says.',
    },
  },
  permissions: {
    about: 'What may be done with the server without asking, and what not at all.',
    fields: {
      allowedTools: 'Only tools that match one of these patterns may be called.',
      deniedTools: 'Tools that match one of these patterns may not be called.',
      allowedResources: 'Only resources whose URI matches one of these patterns may be read.',
      readPermission: 'What happens when something is to be read.',
      writePermission: 'What happens when something is to be changed.',
      flow: 'What happens to a call that would send something out after private data and foreign text were read: "ask", "deny" or "off". Of several files the strictest counts, and a project cannot switch it off.',
      labels:
        'What its tools do with data, by names or patterns of tools: "private" (reads private data), "foreign" (brings text of strangers), "out" (sends out or changes the world). A project can only add labels.',
    },
  },
  output: {
    about:
      'How large a result may be before it is cut, and the whole put into a file. What a tool asks for itself counts only where nothing is said here.',
    fields: {
      maxCharacters: 'Characters of one result: 100000 unless given.',
      maxTokens: 'Tokens of one result, estimated rather too many: 25000 unless given.',
      tools: {
        about: 'The same for some tools, by their names.',
        fields: {
          maxCharacters: 'Characters of one result of this tool.',
          maxTokens: 'Tokens of one result of this tool.',
        },
      },
    },
  },
  required: 'Whether a command fails when this server does not work.',
  lifecycle:
    'When the server runs: "lazy" from the first need until it is idle (unless given), "eager" from the start, "keep-alive" from the start and again whenever it is lost.',
  shared:
    'Whether all hosts of this user use one process of the server, which goes on between them until it was not used for "idleTimeout". With "lifecycle": "keep-alive" it goes on for as long as a host runs.',
  alwaysLoad:
    'Whether models always get the tools of this server, also where there are so many tools that they are searched for.',
  parallel:
    'Whether calls run at once. Left out, those that change something run one after another.',
  protocol: 'Which era of MCP to speak: "auto" finds out (unless given).',
  sampling: {
    about:
      'Whether the server may have a model asked, and how much. You approve each request all the same. Of several files the narrowest counts, and a project cannot switch it on.',
    fields: {
      enabled: 'Whether it may: not unless given.',
      maxRequests: 'Requests while the host lives: 100 unless given.',
      maxRequestsPerMinute: 'Requests within a minute: 10 unless given.',
      maxTokens: 'Tokens of prompts and answers while the host lives: 200000 unless given.',
      maxTokensPerMinute: 'Tokens within a minute: 50000 unless given.',
      maxTokensPerRequest: 'Tokens of one answer: 4096 unless given.',
    },
  },
  roots:
    'Whether the server is told the folders that are worked in. Left out: one that runs here is, a remote one is not.',
};
