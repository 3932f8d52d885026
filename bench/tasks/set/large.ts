// Tasks with large results of which little is needed.

import type { Task } from '../task.ts';

const ERRORS_BY_HOUR = `const { content } = await tools.filesystem.read_text_file({ path: 'FOLDER/logs/app.log' });
const hours = {};
for (const line of content.split('\\n')) {
  const found = /T(\\d\\d):.* ERROR /.exec(line);
  if (found) hours[found[1]] = (hours[found[1]] ?? 0) + 1;
}
return hours;`;

const BY_CUSTOMER = `const { content } = await tools.filesystem.read_text_file({ path: 'FOLDER/data/orders.csv' });
const totals = {};
for (const line of content.trim().split('\\n').slice(1)) {
  const [, customer, cents] = line.split(',');
  totals[customer] = (totals[customer] ?? 0) + Number(cents);
}
return totals;`;

const FEMALE =
  "SELECT emp_no, first_name, last_name FROM employee WHERE gender = 'F' ORDER BY emp_no LIMIT 100";

export const LARGE: readonly Task[] = [
  {
    name: 'errors by hour',
    kind: 'large',
    setUp: 'filesystem',
    request: 'How many errors were there in each hour, by FOLDER/logs/app.log?',
    steps: [[['filesystem.read_text_file', { path: 'FOLDER/logs/app.log' }]]],
    shows: 'ERROR',
    queries: ['read a text file'],
    code: {
      describe: ['filesystem.read_text_file'],
      scripts: [
        `return (await tools.filesystem.read_text_file({ path: 'FOLDER/logs/app.log', head: 5 })).content;`,
        ERRORS_BY_HOUR,
      ],
      shows: '"22":1',
    },
  },
  {
    name: 'orders by customer, of five',
    kind: 'large',
    setUp: 'five',
    request: 'What did each customer spend in all, by FOLDER/data/orders.csv?',
    steps: [[['filesystem.read_text_file', { path: 'FOLDER/data/orders.csv' }]]],
    shows: 'order,customer,cents',
    queries: ['read a text file'],
    code: {
      describe: ['filesystem.read_text_file'],
      scripts: [
        `return (await tools.filesystem.read_text_file({ path: 'FOLDER/data/orders.csv', head: 5 })).content;`,
        BY_CUSTOMER,
      ],
      shows: '"Ada"',
    },
  },
  {
    name: 'who owns most, of five',
    kind: 'large',
    setUp: 'five',
    request: 'Who in the knowledge graph owns most modules?',
    steps: [[['memory.read_graph', {}]]],
    shows: 'owns',
    queries: ['read the whole knowledge graph'],
    code: {
      describe: ['memory.read_graph'],
      scripts: [
        `const { relations } = await tools.memory.read_graph({});
const owned = {};
for (const { from, relationType } of relations) if (relationType === 'owns') owned[from] = (owned[from] ?? 0) + 1;
return owned;`,
      ],
      shows: '"Ada"',
    },
  },
  {
    name: 'changes since a branch, of many',
    kind: 'large',
    setUp: 'many',
    request:
      'How many files differ between FOLDER/repo and its branch "old", and how many lines were added?',
    steps: [[['git.git_diff', { repo_path: 'FOLDER/repo', target: 'old' }]]],
    shows: 'diff --git',
    queries: ['git diff between branches'],
    code: {
      scripts: [
        `const diff = await tools.git.git_diff({ repo_path: 'FOLDER/repo', target: 'old' });
const lines = diff.split('\\n');
return {
  files: lines.filter((line) => line.startsWith('diff --git')).length,
  added: lines.filter((line) => line.startsWith('+') && !line.startsWith('+++')).length,
};`,
      ],
      shows: '"files"',
    },
  },
  {
    name: 'a hundred rows into a file, of many',
    kind: 'large',
    setUp: 'many',
    request:
      'Write number and name of the first hundred women among the employees into FOLDER/data/women.csv.',
    steps: [
      [['dbhub.search_objects', { object_type: 'column', schema: 'main', table: 'employee' }]],
      [['dbhub.execute_sql', { sql: FEMALE }]],
      [
        [
          'filesystem.write_file',
          {
            path: 'FOLDER/data/women.csv',
            // As long as the rows that came.
            content: Array.from(
              { length: 100 },
              (_, at) => `${10_002 + 2 * at},Bezalel,Simmel\n`,
            ).join(''),
          },
        ],
      ],
    ],
    shows: 'Successfully wrote',
    queries: ['list database columns', 'run a sql query', 'write a file'],
    code: {
      scripts: [
        `return await tools.dbhub.search_objects({ object_type: 'column', schema: 'main', table: 'employee' });`,
        `const text = await tools.dbhub.execute_sql({ sql: ${JSON.stringify(FEMALE)} });
const rows = JSON.parse(text).data.statements[0].rows;
const content = rows.map((row) => [row.emp_no, row.first_name, row.last_name].join(',') + '\\n').join('');
await tools.filesystem.write_file({ path: 'FOLDER/data/women.csv', content });
return rows.length + ' rows';`,
      ],
      shows: '100 rows',
    },
  },
];
