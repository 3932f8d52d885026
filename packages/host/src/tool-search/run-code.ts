// The definition of the tool with which a model runs a script over other tools, and its cost.

import { DESCRIBE_TOOLS } from './tool-search.ts';
import { toolTokens } from './tool-tokens.ts';

export const RUN_CODE = 'run_code';

export const RUN_CODE_DEFINITION = {
  name: RUN_CODE,
  title: 'Run code',
  description: `Runs JavaScript or TypeScript over the tools: for several calls that belong together, and for results of which little is needed. The code is the body of an async function, such as: const issues = await tools.github.list_issues({ repo: "plugboard" }); return issues.length;
A tool "my-server.get-it" is tools["my-server"]["get-it"]. ${DESCRIBE_TOOLS} has what tools take and return; where that says unknown, a call returns a string, or an array of parts such as { type: "text", text }. A call that fails throws. Only what is returned, or logged with console.log, comes back. There is no network, no file and no module, only the language, the tools and sleep(ms).`,
  inputSchema: {
    type: 'object',
    properties: {
      code: { type: 'string' },
      name: { type: 'string', description: 'What it does, in a few words, for the user' },
    },
    required: ['code'],
  },
} as const;

/** Its cost in addition to the search tools. */
export const RUN_CODE_TOKENS = toolTokens(RUN_CODE_DEFINITION);
