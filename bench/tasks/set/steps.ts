// Tasks with several calls, each of which needs the previous result.

import type { Task } from '../task.ts';

const TOP_SALARIES =
  'SELECT e.first_name, e.last_name, MAX(s.amount) AS amount FROM employee e JOIN salary s ON s.emp_no = e.emp_no GROUP BY e.emp_no ORDER BY amount DESC LIMIT 5';

const TOP = [
  ['Arno Kumaresan', 136_004],
  ['Yucel Reinhard', 126_614],
  ['Ramalingam Gunderson', 126_034],
  ['Yannis Mandell', 125_947],
  ['Urs Danley', 125_713],
] as const;

export const STEPS: readonly Task[] = [
  {
    name: 'salaries by department',
    kind: 'steps',
    setUp: 'dbhub',
    request: 'Which three departments pay best on average?',
    steps: [
      [['dbhub.search_objects', { object_type: 'table' }]],
      [
        [
          'dbhub.search_objects',
          { object_type: 'column', schema: 'main', table: 'salary', detail_level: 'names' },
        ],
        [
          'dbhub.search_objects',
          { object_type: 'column', schema: 'main', table: 'dept_emp', detail_level: 'names' },
        ],
      ],
      [
        [
          'dbhub.execute_sql',
          {
            sql: 'SELECT d.dept_name, AVG(s.amount) AS average FROM salary s JOIN dept_emp de ON de.emp_no = s.emp_no JOIN department d ON d.dept_no = de.dept_no GROUP BY d.dept_no ORDER BY average DESC LIMIT 3',
          },
        ],
      ],
    ],
    shows: 'Sales',
    queries: ['list database tables and columns', 'run a sql query'],
  },
  {
    name: 'remember a colleague',
    kind: 'steps',
    setUp: 'memory',
    request: 'Remember that Ida is new, works on queue, and helps Bea. Check that it is stored.',
    steps: [
      [
        [
          'memory.create_entities',
          {
            entities: [
              { name: 'Ida', entityType: 'person', observations: ['is new', 'works on queue'] },
            ],
          },
        ],
      ],
      [
        [
          'memory.create_relations',
          { relations: [{ from: 'Ida', to: 'Bea', relationType: 'helps' }] },
        ],
      ],
      [['memory.open_nodes', { names: ['Ida'] }]],
    ],
    shows: 'works on queue',
    queries: ['create entities in the knowledge graph', 'create relations', 'open nodes'],
    code: {
      scripts: [
        `await tools.memory.create_entities({ entities: [{ name: 'Ida', entityType: 'person', observations: ['is new', 'works on queue'] }] });
await tools.memory.create_relations({ relations: [{ from: 'Ida', to: 'Bea', relationType: 'helps' }] });
return await tools.memory.open_nodes({ names: ['Ida'] });`,
      ],
      shows: 'works on queue',
    },
  },
  {
    name: 'departments into a file, of five',
    kind: 'steps',
    setUp: 'five',
    request:
      'Write the names of all departments in the database into FOLDER/departments.md, one a line.',
    steps: [
      [['dbhub.search_objects', { object_type: 'table' }]],
      [['dbhub.execute_sql', { sql: 'SELECT dept_name FROM department ORDER BY dept_name' }]],
      [
        [
          'filesystem.write_file',
          {
            path: 'FOLDER/departments.md',
            content:
              'Customer Service\nDevelopment\nFinance\nHuman Resources\nMarketing\nProduction\nQuality Management\nResearch\nSales\n',
          },
        ],
      ],
    ],
    shows: 'Successfully wrote',
    queries: ['list database tables', 'run a sql query', 'write a file'],
    code: {
      scripts: [
        `return await tools.dbhub.search_objects({ object_type: 'table' });`,
        `const text = await tools.dbhub.execute_sql({ sql: 'SELECT dept_name FROM department ORDER BY dept_name' });
const names = JSON.parse(text).data.statements[0].rows.map((row) => row.dept_name);
await tools.filesystem.write_file({ path: 'FOLDER/departments.md', content: names.join('\\n') + '\\n' });
return names;`,
      ],
      shows: 'Quality Management',
    },
  },
  {
    name: 'release notes, of five',
    kind: 'steps',
    setUp: 'five',
    request:
      'Write the subjects of the last 15 commits of FOLDER/repo into FOLDER/CHANGES.md as a list.',
    steps: [
      [['git.git_log', { repo_path: 'FOLDER/repo', max_count: 15 }]],
      [
        [
          'filesystem.write_file',
          {
            path: 'FOLDER/CHANGES.md',
            content: Array.from(
              { length: 15 },
              (_, at) =>
                `- Give ${['route', 'cache', 'queue', 'retry', 'fetch', 'store', 'print', 'parse'][at % 8]} its part ${23 - at}\n`,
            ).join(''),
          },
        ],
      ],
    ],
    shows: 'Successfully wrote',
    queries: ['show the git log', 'write a file'],
    code: {
      scripts: [
        `const log = await tools.git.git_log({ repo_path: 'FOLDER/repo', max_count: 15 });
const subjects = log.split('\\n').map((line) => '- ' + line.replace(/^.*? [+-]\\d{4} /, ''));
await tools.filesystem.write_file({ path: 'FOLDER/CHANGES.md', content: subjects.join('\\n') + '\\n' });
return subjects.slice(0, 3);`,
      ],
      shows: '- Give route its part 23',
    },
  },
  {
    name: 'best paid into the graph, of five',
    kind: 'steps',
    setUp: 'five',
    request:
      'Remember the five employees with the highest salary as persons, each with the salary.',
    steps: [
      [['dbhub.search_objects', { object_type: 'column', schema: 'main', table: 'salary' }]],
      [['dbhub.execute_sql', { sql: TOP_SALARIES }]],
      [
        [
          'memory.create_entities',
          {
            entities: TOP.map(([name, amount]) => ({
              name,
              entityType: 'person',
              observations: [`has a salary of ${amount}`],
            })),
          },
        ],
      ],
    ],
    shows: 'has a salary of 136004',
    queries: ['list database columns', 'run a sql query', 'create entities in the knowledge graph'],
    code: {
      scripts: [
        `return await tools.dbhub.search_objects({ object_type: 'column', schema: 'main', table: 'salary' });`,
        `const text = await tools.dbhub.execute_sql({ sql: '${TOP_SALARIES}' });
const entities = JSON.parse(text).data.statements[0].rows.map((row) => ({ name: row.first_name + ' ' + row.last_name, entityType: 'person', observations: ['has a salary of ' + row.amount] }));
await tools.memory.create_entities({ entities });
return entities.map(({ name, observations }) => name + ' ' + observations[0]);`,
      ],
      shows: 'Arno Kumaresan has a salary of 136004',
    },
  },
  {
    name: 'a branch, of many',
    kind: 'steps',
    setUp: 'many',
    request: 'Create the branch "topic" in FOLDER/repo, switch to it, and tell me the state.',
    steps: [
      [['git.git_create_branch', { repo_path: 'FOLDER/repo', branch_name: 'topic' }]],
      [['git.git_checkout', { repo_path: 'FOLDER/repo', branch_name: 'topic' }]],
      [['git.git_status', { repo_path: 'FOLDER/repo' }]],
    ],
    shows: 'topic',
    queries: ['create a git branch', 'switch git branch', 'git status'],
    code: {
      scripts: [
        `const repo_path = 'FOLDER/repo';
await tools.git.git_create_branch({ repo_path, branch_name: 'topic' });
await tools.git.git_checkout({ repo_path, branch_name: 'topic' });
return await tools.git.git_status({ repo_path });`,
      ],
      shows: 'topic',
    },
  },
  {
    name: 'a note into the graph, of many',
    kind: 'steps',
    setUp: 'many',
    request:
      'Look up what you remember about Ada, read FOLDER/drafts/ada.md, and add what it says to her.',
    steps: [
      [
        ['memory.search_nodes', { query: 'Ada' }],
        ['filesystem.read_text_file', { path: 'FOLDER/drafts/ada.md' }],
      ],
      [
        [
          'memory.add_observations',
          { observations: [{ entityName: 'Ada', contents: ['has draft number 0'] }] },
        ],
      ],
    ],
    shows: 'has draft number 0',
    queries: ['search the knowledge graph', 'read a text file', 'add observations to an entity'],
  },
  {
    name: 'a small site, of many',
    kind: 'steps',
    setUp: 'many',
    request:
      'Make a folder FOLDER/site with an index.html and a style.css, both nearly empty, and show me the tree.',
    steps: [
      [['filesystem.create_directory', { path: 'FOLDER/site' }]],
      [
        [
          'filesystem.write_file',
          { path: 'FOLDER/site/index.html', content: '<!doctype html><title>Demo</title>' },
        ],
        [
          'filesystem.write_file',
          { path: 'FOLDER/site/style.css', content: 'body { margin: 2rem }' },
        ],
      ],
      [['filesystem.directory_tree', { path: 'FOLDER/site' }]],
    ],
    shows: 'style.css',
    queries: ['create a folder', 'write a file', 'show a directory tree'],
    code: {
      scripts: [
        `await tools.filesystem.create_directory({ path: 'FOLDER/site' });
await tools.filesystem.write_file({ path: 'FOLDER/site/index.html', content: '<!doctype html><title>Demo</title>' });
await tools.filesystem.write_file({ path: 'FOLDER/site/style.css', content: 'body { margin: 2rem }' });
return await tools.filesystem.directory_tree({ path: 'FOLDER/site' });`,
      ],
      shows: 'style.css',
    },
  },
];
