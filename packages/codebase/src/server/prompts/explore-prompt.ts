// The prompt `explore`: phrases a question about the codebase so that a model uses the tools in a useful order.

import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export function registerExplore(server: McpServer): void {
  server.registerPrompt(
    'explore',
    {
      title: 'Explore the codebase',
      description: 'Answers a question about this codebase from its code',
      argsSchema: z.object({ question: z.string().describe('What you want to know') }),
    },
    ({ question }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: taskFor(question) } }],
    }),
  );
}

function taskFor(question: string): string {
  return `${question}

Answer from the code. Find places with search_by_embedding, or with search_code where you know a name; read around them
with read_file before you rely on them. Name the paths and lines that your answer rests on.`;
}
