// Generates distinct definitions with the average length of real ones.

export const SERVERS = 200;
export const TOOLS_OF_EACH = 50;

const ABOUT =
  'Looks up the records that match what is given, newest first, and returns for each its id, its title, ' +
  'who changed it last and when. Records that the account may not see are left out without a word.';

export function madeTool(server: number, index: number): object {
  const kind = `kind_${(server * 7 + index) % 90}`;
  return {
    name: `find_${kind}_${index}`,
    description: `${ABOUT} Concerns ${kind} of area ${server}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: `What to look for among ${kind}`, minLength: 1 },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        since: { type: 'string', description: 'Nothing older than this, as YYYY-MM-DD' },
        fields: {
          type: 'array',
          items: { type: 'string', enum: ['id', 'title', 'author', 'changed', 'labels', 'state'] },
          description: 'What to return of each record; all of it, unless given',
        },
        state: { type: 'string', enum: ['open', 'closed', 'any'], description: 'In which state' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: index % 2 === 0 },
  };
}
