// Tasks that repeat the same for many items.

import type { Task } from '../task.ts';

const TABLES = ['department', 'dept_emp', 'dept_manager', 'employee', 'salary', 'title'];
const MODULES = ['cache', 'fetch', 'parse', 'print', 'queue', 'retry', 'route', 'store'];
const PEOPLE = ['ada', 'bea', 'cem', 'dag', 'eva', 'fin', 'gus', 'hal'];
const NOTES = Array.from({ length: 12 }, (_, at) => `FOLDER/notes/meeting-${at + 1}.md`);
const MANAGERS =
  'SELECT d.dept_name, e.first_name, e.last_name FROM dept_manager m JOIN department d ON d.dept_no = m.dept_no JOIN employee e ON e.emp_no = m.emp_no ORDER BY d.dept_name';

const MANAGED: Readonly<Record<string, readonly string[]>> = {
  Development: ['Khoa Marrevee', 'Dietrich Journel'],
  Finance: ['Kenroku Malabarba', 'Munir Demeyer'],
  'Human Resources': ['Mechthild Bonifati', 'Karoline Cesareni'],
  Marketing: ['Bezalel Simmel', 'Alejandro Brender'],
  Production: ['Marlo Zschoche', 'Uwe Garnier', 'Eishiro Miyakawa', 'Kaijung Riesenhuber'],
  'Quality Management': ['Garnet Isard', 'Goetz Norsworthy', 'Yuchang Matzke', 'Jagoda Nannarelli'],
};

const ADD_HEADERS = `const paths = ${JSON.stringify(MODULES)}.map((name) => 'FOLDER/src/' + name + '.js');
for (const path of paths) {
  const { content } = await tools.filesystem.read_text_file({ path });
  await tools.filesystem.write_file({ path, content: '// MIT license\\n' + content });
}
return paths.length + ' files';`;

const OPEN_TODOS = `const { content } = await tools.filesystem.list_directory({ path: 'FOLDER/notes' });
const names = content.split('\\n').filter((line) => line.startsWith('[FILE]')).map((line) => line.slice(7));
const open = [];
for (const name of names) {
  const note = await tools.filesystem.read_text_file({ path: 'FOLDER/notes/' + name });
  for (const line of note.content.split('\\n')) if (line.startsWith('- [ ] ')) open.push(name + ': ' + line.slice(6));
}
return open;`;

export const LOOPS: readonly Task[] = [
  {
    name: 'rows of each table',
    kind: 'loop',
    setUp: 'dbhub',
    request: 'How many rows does each table have?',
    steps: [
      [['dbhub.search_objects', { object_type: 'table' }]],
      [
        [
          'dbhub.execute_sql',
          {
            sql: TABLES.map(
              (table) => `SELECT '${table}' AS name, COUNT(*) AS n FROM ${table}`,
            ).join(' UNION ALL '),
          },
        ],
      ],
    ],
    shows: '1103',
    queries: ['list database tables', 'run a sql query'],
    code: {
      scripts: [
        `const found = JSON.parse(await tools.dbhub.search_objects({ object_type: 'table' })).data.results;
const counts = {};
for (const { name } of found) counts[name] = await tools.dbhub.execute_sql({ sql: 'SELECT COUNT(*) AS n FROM ' + name });
return counts;`,
      ],
      shows: '1103',
    },
  },
  {
    name: 'commits that touched a file',
    kind: 'loop',
    setUp: 'git',
    request: 'Which of the last 16 commits in FOLDER/repo touched src/parse.js?',
    steps: [
      [['git.git_log', { repo_path: 'FOLDER/repo', max_count: 16 }]],
      Array.from({ length: 16 }, (_, at) => [
        'git.git_show',
        { repo_path: 'FOLDER/repo', revision: `HEAD~${at}` },
      ]),
    ],
    shows: 'src/parse.js',
    queries: ['show the git log', 'show the contents of a commit'],
    code: {
      scripts: [
        `const repo_path = 'FOLDER/repo';
const log = await tools.git.git_log({ repo_path, max_count: 16 });
const touched = [];
for (const line of log.split('\\n')) {
  const shown = await tools.git.git_show({ repo_path, revision: line.split(' ')[0] });
  if (shown.includes('src/parse.js')) touched.push(line);
}
return touched;`,
      ],
      shows: 'Give parse its part 16',
    },
  },
  {
    name: 'open items of all notes, of five',
    kind: 'loop',
    setUp: 'five',
    request: 'Which items are still open in the notes in FOLDER/notes?',
    steps: [
      [['filesystem.list_directory', { path: 'FOLDER/notes' }]],
      [['filesystem.read_multiple_files', { paths: NOTES }]],
    ],
    shows: '- [ ] Bea: write down how print fails',
    queries: ['list the files of a folder', 'read many files'],
    code: {
      describe: ['filesystem.list_directory', 'filesystem.read_text_file'],
      scripts: [OPEN_TODOS],
      shows: 'Bea: write down how print fails',
    },
  },
  {
    name: 'drafts into the archive, of five',
    kind: 'loop',
    setUp: 'five',
    request: 'Move all files of FOLDER/drafts to FOLDER/archive.',
    steps: [
      [['filesystem.list_directory', { path: 'FOLDER/drafts' }]],
      PEOPLE.map((name) => [
        'filesystem.move_file',
        { source: `FOLDER/drafts/${name}.md`, destination: `FOLDER/archive/${name}.md` },
      ]),
    ],
    shows: 'Successfully moved',
    queries: ['list the files of a folder', 'move a file'],
    code: {
      describe: ['filesystem.list_directory'],
      scripts: [
        `const { content } = await tools.filesystem.list_directory({ path: 'FOLDER/drafts' });
const names = content.split('\\n').filter((line) => line.startsWith('[FILE]')).map((line) => line.slice(7));
for (const name of names) await tools.filesystem.move_file({ source: 'FOLDER/drafts/' + name, destination: 'FOLDER/archive/' + name });
return names.length + ' moved';`,
      ],
      shows: '8 moved',
    },
  },
  {
    name: 'a license in each file, of many',
    kind: 'loop',
    setUp: 'many',
    request: 'Put the line "// MIT license" at the beginning of each file in FOLDER/src.',
    steps: [
      [['filesystem.list_directory', { path: 'FOLDER/src' }]],
      MODULES.map((name) => [
        'filesystem.read_text_file',
        { path: `FOLDER/src/${name}.js`, head: 1 },
      ]),
      MODULES.map((name) => [
        'filesystem.edit_file',
        {
          path: `FOLDER/src/${name}.js`,
          edits: [{ oldText: `// ${name}: one`, newText: `// MIT license\n// ${name}: one` }],
        },
      ]),
    ],
    shows: '+// MIT license',
    queries: ['list the files of a folder', 'read a text file', 'edit or write a file'],
    code: {
      describe: ['filesystem.list_directory', 'filesystem.read_text_file'],
      scripts: [
        `return (await tools.filesystem.list_directory({ path: 'FOLDER/src' })).content;`,
        ADD_HEADERS,
      ],
      shows: '8 files',
    },
  },
  {
    name: 'managers into the graph, of many',
    kind: 'loop',
    setUp: 'many',
    request:
      'Remember for each department who has managed it: a relation "managed" from person to department.',
    steps: [
      [['dbhub.search_objects', { object_type: 'column', schema: 'main', table: 'dept_manager' }]],
      [['dbhub.execute_sql', { sql: MANAGERS }]],
      [
        [
          'memory.create_relations',
          {
            relations: Object.entries(MANAGED).flatMap(([to, names]) =>
              names.map((from) => ({ from, to, relationType: 'managed' })),
            ),
          },
        ],
      ],
    ],
    shows: 'Khoa Marrevee',
    queries: [
      'list database columns',
      'run a sql query',
      'create relations in the knowledge graph',
    ],
    code: {
      scripts: [
        `return await tools.dbhub.search_objects({ object_type: 'column', schema: 'main', table: 'dept_manager' });`,
        `const text = await tools.dbhub.execute_sql({ sql: '${MANAGERS}' });
const relations = JSON.parse(text).data.statements[0].rows.map((row) => ({ from: row.first_name + ' ' + row.last_name, to: row.dept_name, relationType: 'managed' }));
await tools.memory.create_relations({ relations });
return relations.length + ' managed';`,
      ],
      shows: '16 managed',
    },
  },
];
