// A sentence for people about each setting other than the fields of an entry: editors show it, and
// docs/settings.md lists it. The type is derived from the shapes, so that no setting can be forgotten. No
// command loads this file at runtime.

import { ENTRY_WORDS, type WordsOf } from './entry-words.ts';
import type { settingsShape } from './settings-shape.ts';

const RULE_WORDS = {
  serverName: 'The name of the server.',
  serverUrl: 'Its address; * matches any text.',
  serverCommand: 'Its command and all of its arguments, exactly.',
};

const PERMISSION_RULE_WORDS = {
  tool: 'Which tools: mcp__server__tool, mcp__server or server/tool. * matches any text.',
  server: 'Which servers, by name; * matches any text.',
  annotations: {
    about: 'What the server must claim about the tool. A claim is not proof.',
    fields: {
      readOnly: 'Whether it claims that the tool changes nothing.',
      destructive: 'Whether the tool may destroy something, according to the server.',
      idempotent: 'Whether it claims that a second, identical call changes nothing more.',
      openWorld: 'Whether the tool may reach the outside world, according to the server.',
    },
  },
  arguments: {
    about: 'Conditions for the arguments of the call. All must be met.',
    fields: {
      path: 'The path to a value: owner.name, paths.* for each item, or a JSON pointer.',
      not: 'Whether the condition is negated.',
      equals: 'The value must equal this.',
      in: 'The value must be one of these.',
      matches: 'The text must match this pattern; * matches any text.',
      startsWith: 'The text must begin with this.',
      under:
        'The path must be in this folder: absolute, with ~/, or relative to the top of the project.',
      runs: 'The command must be one plain command of these words; a * at the end allows more words.',
      origin: 'The address must have this origin, such as https://docs.example.com.',
      lessThan: 'The number must be less than this.',
      atMost: 'The number must be this or less.',
      greaterThan: 'The number must be greater than this.',
      atLeast: 'The number must be this or more.',
    },
  },
  project: 'The folder of the project in which the rule applies. Default: all projects.',
  out: 'false, in an "allow" rule: the call does not count as sending something out.',
};

const HOOK_WORDS = {
  tool: 'Which tools: mcp__server__tool, mcp__server or server/tool. Default: all.',
  server: 'Which servers, by name; * matches any text.',
  command: 'The program and its arguments, run without a shell.',
  shell: 'A line for sh -c, instead of "command".',
  cwd: 'The folder in which it starts: "project", or a path relative to the folder that the file belongs to. Default: an empty folder of Plugboard.',
  timeout: 'The hook fails after this many milliseconds. Default: 10000.',
};

export const SETTINGS_WORDS: WordsOf<typeof settingsShape> = {
  $schema: 'The place of this schema, for editors. Plugboard ignores it.',
  mcpServers: { about: 'The servers, by name.', fields: ENTRY_WORDS },
  allowedMcpServers: {
    about:
      'Which servers may run, each named by exactly one of its properties. Default: all. An empty list allows none.',
    fields: RULE_WORDS,
  },
  deniedMcpServers: {
    about: 'Which servers may not run, whatever else allows them.',
    fields: RULE_WORDS,
  },
  permissions: {
    about: 'Which calls run, which need approval and which are denied.',
    fields: {
      mode: 'What happens without a rule: "default" asks, "allow-all" allows. "deny-asks" denies what would be asked, "read-only" denies every tool that does not claim to only read.',
      readOnlyTools:
        'What happens, without a rule, to tools of trusted servers that claim to only read. Default: "ask".',
      flow: 'What happens, in a conversation, to a call that would send something out after private data and foreign text were read: "ask" (default, if a user can be asked), "deny" or "off".',
      allow: {
        about: 'Calls that run without asking. Has no effect in files of a project.',
        fields: PERMISSION_RULE_WORDS,
      },
      ask: { about: 'Calls that you are asked about.', fields: PERMISSION_RULE_WORDS },
      deny: {
        about: 'Calls that never run, whatever else allows them.',
        fields: PERMISSION_RULE_WORDS,
      },
    },
  },
  hooks: {
    about: 'Commands to run before and after calls. Has no effect in files of a project.',
    fields: {
      beforeCall: {
        about: 'Before a call. May block it, or change its arguments.',
        fields: HOOK_WORDS,
      },
      afterCall: {
        about: 'After a call. May withhold its result, or change it.',
        fields: HOOK_WORDS,
      },
      elicitationResult: {
        about: 'Before your answer goes to a server that asked. May withhold it, or change it.',
        fields: HOOK_WORDS,
      },
    },
  },
  connectors: {
    about: 'Addresses that list the remote servers of an account, by name.',
    fields: {
      url: 'The https address of the list.',
      headers: 'HTTP headers for the request. Write secrets as ${VAR}.',
      headersHelper: 'A command that prints HTTP headers as a JSON object.',
    },
  },
  pins: 'What happens when a server is listed for the first time: "tofu" (default) accepts its tools, "strict" waits for you to accept them, "off" pins nothing. Only in your own settings.',
  codebase: {
    about: 'Options of the built-in server "codebase". All are optional.',
    fields: {
      disabled:
        'Whether it is disabled: listed, but never started. One file that says true is enough.',
      embedder: {
        about:
          'What makes vectors of code: "embedded" (default), "none", or a service. Only in your own settings.',
        fields: {
          kind: '"embedded", "none", "openai" for any service with its API, or "ollama".',
          url: 'The address of the service. Default for "ollama": this machine.',
          model: 'The name of the model.',
          apiKeyVariable: 'The name of the environment variable with the key.',
          dimensions: 'The length of vectors. By default, a first request finds out.',
        },
      },
      store: {
        about: 'Where the index is: "embedded" (default), or on Qdrant. Only in your own settings.',
        fields: {
          kind: '"embedded" or "qdrant".',
          url: 'The address of the server, or a list of the addresses of a cluster.',
          apiKeyVariable: 'The name of the environment variable with the key.',
          collection: 'The prefix of the names of collections.',
          shards: 'The number of shards of a new collection.',
          replicas: 'The number of replicas of each shard of a new collection.',
        },
      },
      roots: {
        about:
          'Folders, or addresses of repositories, that are searched besides the project. Only in your own settings.',
        fields: {
          name: 'What its paths begin with. Left out, the name of the folder.',
          path: 'An absolute path, or one that begins with "~/"; or the address of a repository.',
        },
      },
      remotes:
        'Hosts whose repositories may be fetched where a root is an address; "file:" for those of this machine. Only in your own settings.',
      languageServers:
        'Language servers to ask who uses a symbol: for each language, a command and its arguments. Only in your own settings.',
    },
  },
  identityProvider: {
    about:
      'The identity provider that vouches for you at servers whose entry has "oauth": { "xaa": true }. Only in your own settings.',
    fields: {
      issuer: 'Its address.',
      tokenEndpoint: 'Its token endpoint. By default, the one in its metadata.',
      clientId: 'The id of a client that is registered there.',
      clientSecret: 'The secret of that client. Write it as ${secret:NAME}.',
      callbackPort: 'The local port to which the browser returns after signing in there.',
      callbackHost:
        'The name of this machine in that address: "127.0.0.1" (default) or "localhost".',
    },
  },
  limits: {
    about: 'How many servers connect at the same time. Only in your own settings.',
    fields: {
      connectingLocal: 'The most local servers that connect at once. Default: 3.',
      connectingRemote: 'The most remote servers that connect at once. Default: 20.',
    },
  },
  gateway: {
    about: 'What "plugboard serve" offers in addition to all servers. Only in your own settings.',
    fields: {
      profiles: {
        about: 'Selections of servers and tools, by name. Each has the address /mcp/profile/NAME.',
        fields: {
          servers: 'The names of its servers. Default: all.',
          tools: {
            about: 'Which of their tools, as SERVER/TOOL; * matches any text. Default: all.',
            fields: {
              include: 'Only tools that match one of these patterns.',
              exclude: 'No tools that match one of these patterns.',
            },
          },
          mode: 'How tools are offered: "direct" (default), each by itself; "search", through a few tools that find and call them; "code", through scripts as well.',
          results:
            'How results are passed on: "as-is" (default), or "fitted", as the chat gives them to a model.',
        },
      },
    },
  },
  chat: {
    about: 'The model of the chat, and how the chat behaves. Only in your own settings.',
    fields: {
      model: 'The model, as provider/name. By default, the first key that is set decides.',
      toolBudget:
        'The most that tool definitions may take: tokens, or a share of the context. Default: "15%".',
      theme:
        'The colours of the screen: `any` (default) is readable on light and dark backgrounds, `dark` and `light` are for one of them, `terminal` uses the sixteen colours of the terminal.',
      vim: 'Whether the prompt has vi keys. Default: false; `/vim` turns them on and off.',
      mode: 'The mode at the start of a chat: "ask" (default), "accept-edits" or "plan".',
      code: 'Whether the model may write scripts that use the tools, where that is cheaper than calls. Default: false.',
      providers: {
        about: 'The providers of models, by name: known ones, or your own.',
        fields: {
          baseUrl: 'The address of its API. A provider of your own must be compatible with OpenAI.',
          apiKeyVariable: 'The name of the environment variable with the key.',
          model: 'The default model of this provider.',
          contextTokens: 'The size of the context window, in tokens.',
          toolSearch:
            'How tools are searched if there are many: "native", by the provider (Anthropic and OpenAI), or "tools", by three tools of Plugboard. Default: "native" if the model supports it.',
        },
      },
    },
  },
  discover: {
    about: 'Which other programs Plugboard takes servers from.',
    fields: {
      claudeCode:
        'Whether to use the servers of Claude Code (~/.claude.json). One file that says false is enough.',
      editors:
        'Whether to use the servers of editors that have this folder open. One file that says false is enough.',
    },
  },
};
