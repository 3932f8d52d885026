// What each setting beside the fields of an entry is for: editors show it, and docs/settings.md lists it.
// The type follows the shapes, so that no field stays without words. No command loads this to run.

import { ENTRY_WORDS, type WordsOf } from './entry-words.ts';
import type { settingsShape } from './settings-shape.ts';

const RULE_WORDS = {
  serverName: 'The name of the server.',
  serverUrl: 'Its address; * stands for anything.',
  serverCommand: 'Its command and all of its arguments, exactly.',
};

const PERMISSION_RULE_WORDS = {
  tool: 'Which tools: mcp__server__tool, mcp__server or server/tool. * stands for anything.',
  server: 'Which servers, by name; * stands for anything.',
  annotations: {
    about: 'What the server must say of the tool. That proves nothing.',
    fields: {
      readOnly: 'Whether it says that the tool changes nothing.',
      destructive: 'Whether it leaves open that the tool destroys something.',
      idempotent: 'Whether it says that a second call changes nothing more.',
      openWorld: 'Whether it leaves open that the tool reaches the outside world.',
    },
  },
  arguments: {
    about: 'Conditions for the arguments of the call. All must be met.',
    fields: {
      path: 'The way to a value: owner.name, paths.* for each item, or a JSON pointer.',
      not: 'Whether the value must not be so.',
      equals: 'The value.',
      in: 'The values, one of which it must be.',
      matches: 'What the text must match; * stands for anything.',
      startsWith: 'What the text must begin with.',
      under:
        'The folder in which the path must lie: complete, with ~/, or from the top of the project.',
      runs: 'The words of the one plain command that it must be; a * at the end stands for more.',
      origin: 'The origin of the site that the address must be of: https://docs.example.com',
      lessThan: 'The number must be less than this.',
      atMost: 'The number must be this or less.',
      greaterThan: 'The number must be greater than this.',
      atLeast: 'The number must be this or more.',
    },
  },
  project: 'The folder of the project in which the rule counts. Left out: in all.',
  out: 'false, of a rule that allows: such a call does not count as sending something out.',
};

const HOOK_WORDS = {
  tool: 'For which tools: mcp__server__tool, mcp__server or server/tool. Left out: all.',
  server: 'For which servers, by name; * stands for anything.',
  command: 'The program and its arguments, run without a shell.',
  shell: 'A line for sh -c, in place of "command".',
  cwd: 'The folder in which it starts: "project", or a path that is relative to the folder that the file belongs to. Left out, an empty folder of Plugboard\'s own.',
  timeout: 'Milliseconds after which it counts as failed: 10000 unless given.',
};

export const SETTINGS_WORDS: WordsOf<typeof settingsShape> = {
  $schema: 'Where this schema is, for editors. Plugboard does not look at it.',
  mcpServers: { about: 'The servers, each by its name.', fields: ENTRY_WORDS },
  allowedMcpServers: {
    about:
      'Which servers may run, each by exactly one of its properties. Left out: all. Empty: none.',
    fields: RULE_WORDS,
  },
  deniedMcpServers: {
    about: 'Which servers may not run, whatever else allows them.',
    fields: RULE_WORDS,
  },
  permissions: {
    about: 'Which calls run, which are asked about and which are denied.',
    fields: {
      mode: 'What happens without a rule: "default" asks, "allow-all" allows. "deny-asks" denies what would be asked, "read-only" denies all that does not claim to only read.',
      readOnlyTools:
        'What happens, without a rule, to tools that claim to only read, of servers that you trust: "ask" unless given.',
      flow: 'What happens, in a conversation, to a call that would send something out after private data and foreign text were read: "ask" (unless given, where a person can be asked), "deny" or "off".',
      allow: {
        about: 'Calls that run without a question. Has no effect in files of a project.',
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
    about: 'Commands that are run around calls. Have no effect in files of a project.',
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
        about: 'Before an answer goes to a server that asked. May withhold it, or change it.',
        fields: HOOK_WORDS,
      },
    },
  },
  connectors: {
    about: 'Addresses that list the remote servers of an account, each by a name.',
    fields: {
      url: 'The address of the list, on https.',
      headers: 'HTTP headers for the request. Write secrets as ${VAR}.',
      headersHelper: 'A command that prints HTTP headers as a JSON object.',
    },
  },
  pins: 'What becomes of a server that is listed for the first time: "tofu" accepts it (unless given), "strict" has you accept it, "off" pins nothing. Only in your own settings.',
  codebase: {
    about: 'How the built-in server "codebase" works. It needs none of this.',
    fields: {
      disabled: 'Whether it is left out: shown, but never started. Once any file says so, it is.',
      embedder: {
        about:
          'What makes vectors of code: "embedded" unless given, "none", or a service. Only in your own settings.',
        fields: {
          kind: '"embedded", "none", "openai" for any service with its API, or "ollama".',
          url: 'The address of the service. For "ollama", this machine unless given.',
          model: 'The name of the model.',
          apiKeyVariable: 'The name of the environment variable that holds the key.',
          dimensions: 'How long vectors are. Left out, a first request finds out.',
        },
      },
      store: {
        about:
          'Where the index is: "embedded" unless given, or on Qdrant. Only in your own settings.',
        fields: {
          kind: '"embedded" or "qdrant".',
          url: 'The address of the server, or a list of those of a cluster.',
          apiKeyVariable: 'The name of the environment variable that holds the key.',
          collection: 'What the names of collections begin with.',
          shards: 'Into how many parts a new collection is cut.',
          replicas: 'How many servers have each part of a new collection.',
        },
      },
      languageServers:
        'Language servers that are started and asked who uses a symbol: by language, a command and its arguments. Only in your own settings.',
    },
  },
  identityProvider: {
    about:
      'The identity provider that vouches for you at servers whose entry has "oauth": { "xaa": true }. Only in your own settings.',
    fields: {
      issuer: 'Its address.',
      tokenEndpoint: 'Where it gives tokens. Left out, its metadata says so.',
      clientId: 'The id of a client that is registered there.',
      clientSecret: 'The secret of that client. Written as ${secret:NAME}.',
      callbackPort: 'The local port to which the browser returns after signing in there.',
      callbackHost:
        'How this machine is called in that address: "127.0.0.1" (unless given) or "localhost".',
    },
  },
  limits: {
    about: 'How many servers connect at the same time. Only in your own settings.',
    fields: {
      connectingLocal: 'Servers that run here: 3 unless given.',
      connectingRemote: 'Servers on the network: 20 unless given.',
    },
  },
  gateway: {
    about: 'What plugboard serve offers beside all servers. Only in your own settings.',
    fields: {
      profiles: {
        about: 'Chosen sets, by their names: each is at /mcp/profile/NAME.',
        fields: {
          servers: 'The names of its servers. All, unless given.',
          tools: {
            about:
              'Which of their tools, as SERVER/TOOL; * stands for anything. All, unless given.',
            fields: {
              include: 'Only these.',
              exclude: 'None of these.',
            },
          },
          mode: 'How tools are offered: "direct" (unless given), each by itself; "search", by a few tools that find and call them; "code", by scripts over them.',
          results:
            'What becomes of results: "as-is" (unless given), or "fitted", as the chat gives them to a model.',
        },
      },
    },
  },
  chat: {
    about: 'Which model answers in a chat, and what tools may cost it. Only in your own settings.',
    fields: {
      model: 'The model, as provider/name. Left out, the key that is set decides.',
      toolBudget:
        'What the definitions of tools may take at most: tokens, or a share of the context. "15%" unless given.',
      theme:
        'The colours of the screen: `any` reads on light and dark, `dark` and `light` are for one of them, `terminal` takes the sixteen of the terminal. `any` by default.',
      vim: 'Whether the prompt has the keys of vi. false unless given; `/vim` turns them on and off.',
      mode: 'The mode a chat begins in: "ask" (unless given), "accept-edits" or "plan".',
      code: 'Whether the model may write scripts over the tools, where that is cheaper than calls. false unless given.',
      providers: {
        about: 'Where models are, by the names of providers: known ones, or names of your own.',
        fields: {
          baseUrl: 'The address of its API. One of your own is an endpoint like that of OpenAI.',
          apiKeyVariable: 'The name of the environment variable that holds the key.',
          model: 'The model where none is named.',
          contextTokens: 'How many tokens the model can read.',
          toolSearch:
            'How tools are searched where there are many: "native", by the provider (Anthropic and OpenAI), or "tools", by three tools. Left out, natively where the model can.',
        },
      },
    },
  },
  discover: {
    about: 'Whose servers are looked for beside those that are configured here.',
    fields: {
      claudeCode:
        'Whether the servers that Claude Code has in ~/.claude.json are used. Once any file says false, they are not.',
      editors:
        'Whether the servers of editors that have this folder open are used. Once any file says false, they are not.',
    },
  },
};
