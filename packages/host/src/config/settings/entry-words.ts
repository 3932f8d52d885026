// A sentence for people about each field of an entry: editors show it, and docs/settings.md lists it. The
// type is derived from the shapes, so that no field can be forgotten. No command loads this file at runtime.

import type { entryShape } from '../fields/index.ts';

/** The words for the fields of a shape, whether they are inside a list, inside a map or direct. */
export type WordsOf<S> = S extends { readonly form: { readonly shapes: infer F } }
  ? { readonly [Key in keyof F]: FieldWords<F[Key]> }
  : S extends { readonly form: { readonly item: infer Item } }
    ? WordsOf<Item>
    : never;

type FieldWords<S> = [WordsOf<S>] extends [never]
  ? string
  : { readonly about: string; readonly fields: WordsOf<S> };

export const ENTRY_WORDS: WordsOf<typeof entryShape> = {
  type: 'How to reach the server. By default, a "command" is started, and a "url" is tried as http, then as sse.',
  command: 'The program to start, without a shell. ${VAR} and ${VAR:-default} are filled in.',
  args: 'The arguments of the program. ${VAR} and ${VAR:-default} are filled in.',
  env: 'Variables for the program, added to a minimal environment. Write secrets as ${VAR}.',
  cwd: 'The folder in which the program, or the "headersHelper", starts: "project" for the folder that you work in, or a path relative to the folder that the file belongs to. By default, a server of a project starts in the project, and any other in an empty folder of Plugboard.',
  envFile: 'A file of NAME=value lines with more variables for the program.',
  url: 'The address of the server. ${VAR} and ${VAR:-default} are filled in.',
  headers: 'HTTP headers for every request. Write secrets as ${VAR}.',
  headersHelper:
    'A command that prints HTTP headers as a JSON object. It runs before each connection.',
  oauth: {
    about:
      'How to sign in to the server. Plugboard asks the server for everything that you leave out.',
    fields: {
      clientId: 'The id of a client that is registered with the authorization server.',
      clientSecret: 'The secret of that client. Write it as ${secret:NAME}.',
      privateKey:
        'The key of that client, in PEM, instead of a secret. Write it as ${secret:NAME}.',
      privateKeyAlgorithm: 'The signature algorithm of the key. Default: ES256.',
      clientMetadataUrl: 'The https address of a document that describes the client.',
      callbackPort: 'The local port to which the browser returns after signing in.',
      callbackHost:
        'The name of this machine in the address to which the browser returns: "127.0.0.1" (default), or "localhost" for a client that is registered with http://localhost:PORT/callback.',
      authServerMetadataUrl:
        'The address of the metadata of the authorization server, if it cannot be found. With `issuer`, it must belong to that issuer.',
      issuer: 'The only authorization server to use, wherever its metadata is.',
      scopes: 'The scopes to request: a list, or a text with spaces between them.',
      account: 'A name for the account, if you use one server with several accounts.',
      grant:
        'How to get tokens: "authorization_code" (default), "client_credentials" or "jwt-bearer".',
      assertion: 'For "jwt-bearer": the token of the workload. Write it as ${secret:NAME}.',
      dpop: 'Whether tokens are bound to a key. By default, if the server asks for it.',
      xaa: {
        about:
          'Whether an identity provider vouches for you (Cross-App Access): true uses "identityProvider" of your own settings, and an object names another one.',
        fields: {
          issuer: 'The address of the identity provider.',
          tokenEndpoint: 'Its token endpoint. By default, the one in its metadata.',
          clientId: 'The id of a client that is registered there.',
          clientSecret: 'The secret of that client. Write it as ${secret:NAME}.',
          idToken: 'An ID token of the user, instead of a sign-in. Write it as ${secret:NAME}.',
          callbackPort: 'The local port to which the browser returns after signing in there.',
          callbackHost: 'The name of this machine in that address: "127.0.0.1" or "localhost".',
        },
      },
    },
  },
  disabled: 'Whether the server is disabled: listed, but never started or connected to.',
  timeout:
    'A call fails after this many milliseconds without a sign of life. Progress restarts the timer. Default: 300000.',
  hardTimeout:
    'A call fails after this many milliseconds, whatever the server reports. Default: 3600000, or "timeout" if that is longer.',
  connectTimeout:
    'Connecting fails after this many milliseconds. Up to five minutes in which npx, uvx and the like download the server do not count. Default: 30000.',
  listTimeout:
    'Listing tools, resources or prompts fails after this many milliseconds. Default: 15000.',
  idleTimeout:
    'A local "lazy" server stops after this many milliseconds without use. Default: 600000.',
  heartbeat:
    'How often, in milliseconds, to ask a connected server for a sign of life; a missed one starts reconnection. Default: what the program sets, which is usually nothing. "off": never, whatever the program sets.',
  reconnect: {
    about: 'How to reconnect to a remote server after losing it.',
    fields: {
      maxAttempts: 'The number of attempts; 0 means none. Default: 5.',
      delayMs:
        'Milliseconds before the first attempt. Each later pause is twice as long. Default: 1000.',
      maxDelayMs: 'The longest pause, in milliseconds. Default: 30000.',
    },
  },
  tools: {
    about: 'Which tools of the server are offered. Patterns may contain *.',
    fields: {
      include: 'Only tools that match one of these patterns.',
      exclude: 'No tools that match one of these patterns, whatever "include" says.',
    },
  },
  permissions: {
    about: 'What is allowed without asking, and what is never allowed, with this server.',
    fields: {
      allowedTools: 'Only tools that match one of these patterns may be called.',
      deniedTools: 'Tools that match one of these patterns may not be called.',
      allowedResources: 'Only resources whose URI matches one of these patterns may be read.',
      readPermission: 'What happens to calls that only read, and to resources.',
      writePermission: 'What happens to all other calls.',
      flow: 'What happens to a call that would send something out after private data and foreign text were read: "ask", "deny" or "off". If several files set it, the strictest counts; a project cannot turn it off.',
      labels:
        'What its tools do with data, by the names or patterns of tools: "private" (reads private data), "foreign" (returns text of strangers), "out" (sends something out or changes the world). A project can only add labels.',
    },
  },
  output: {
    about:
      'How large a result may be before it is cut and saved to a file. This overrides what a tool asks for itself.',
    fields: {
      maxCharacters: 'The most characters of one result. Default: 100000.',
      maxTokens: 'The most tokens of one result; estimates tend to be too high. Default: 25000.',
      tools: {
        about: 'The same for single tools, by name.',
        fields: {
          maxCharacters: 'The most characters of one result of this tool.',
          maxTokens: 'The most tokens of one result of this tool.',
        },
      },
    },
  },
  required: 'Whether a command fails if this server does not work.',
  lifecycle:
    'When the server runs: "lazy" (default) from first use until it is idle, "eager" from the start, "keep-alive" from the start and again whenever it is lost.',
  shared:
    'Whether all hosts of this user share one process of the server, which keeps running until it is unused for "idleTimeout" or, with "lifecycle": "keep-alive", for as long as a host runs.',
  alwaysLoad:
    'Whether models always get the tools of this server, even if there are so many tools that others have to be searched for.',
  parallel:
    'Whether calls run in parallel. By default, calls that may change something run one after another. A gateway leaves the order to its clients.',
  protocol: 'Which era of MCP to speak. Default: "auto", which detects it.',
  sampling: {
    about:
      'Whether, and how much, the server may use a model. You still approve each request. If several files set it, the strictest counts; a project cannot turn it on.',
    fields: {
      enabled: 'Whether the server may use a model. Default: false.',
      maxRequests: 'The most requests while the host runs. Default: 100.',
      maxRequestsPerMinute: 'The most requests per minute. Default: 10.',
      maxTokens: 'The most tokens of prompts and answers while the host runs. Default: 200000.',
      maxTokensPerMinute: 'The most tokens per minute. Default: 50000.',
      maxTokensPerRequest: 'The most tokens of one answer. Default: 4096.',
    },
  },
  roots:
    'Whether the server learns which folders you work in. By default, a local server does and a remote one does not.',
};
