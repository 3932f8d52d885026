import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import type { Chunk } from '../../src/chunk/chunk.ts';
import { chunkText, type Way } from '../../src/chunk/chunk-text.ts';
import { Parsers } from '../../src/chunk/parsers.ts';
import { SAMPLES } from './samples.ts';

const parsers = new Parsers({ mostMs: 10_000 });

describe('a notebook', () => {
  verifies('COD-19');

  it('is cut between its cells, which are named by their number', async () => {
    const cell = (type: string, line: string): object => ({
      cell_type: type,
      source: Array.from({ length: 120 }, (_, at) => `${line} ${at}\n`),
    });
    const cells = [
      cell('markdown', '# Intro'),
      cell('code', 'x = load()'),
      cell('code', 'plot(x)'),
    ];
    const text = JSON.stringify({ cells, nbformat: 4 }, null, 1);
    const { definitions, chunks } = await chunkText({ path: 'a.ipynb', text }, parsers, 'syntax');
    expect(definitions.map(({ name }) => name)).toEqual([
      'cell 1 (markdown)',
      'cell 2 (code)',
      'cell 3 (code)',
    ]);
    const starts = new Set(chunks.map(({ startLine }) => startLine));
    expect(definitions.slice(1).filter(({ startLine }) => !starts.has(startLine))).toEqual([]);
  });
});

describe('a file that is cut along its syntax', () => {
  verifies('COD-05');

  it('keeps functions whole, with the comments before them', async () => {
    const functions = ['alpha', 'beta', 'gamma'].map(
      (name) => `// About ${name}.\n// Really.\nfunction ${name}() {\n${body(28)}}\n`,
    );
    expect(await cut('a.js', functions.join('\n'))).toEqual([
      'syntax',
      '1-33 function alpha [alpha]',
      '34-66 function beta [beta]',
      '67-98 function gamma [gamma]',
    ]);
  });

  it('puts small neighbours together', async () => {
    const text = 'export type A = 1;\nexport type B = 2;\nexport function c() {\n  return 1;\n}\n';
    expect(await cut('a.ts', text)).toEqual(['syntax', '1-5 function c [A,B,c]']);
  });

  it('cuts a large class between its methods', async () => {
    const method = (name: string): string => `  @traced()\n  ${name}() {\n${body(24)}  }\n\n`;
    const text = `/** Doc. */\nexport class Shop {\n${['buy', 'sell', 'keep'].map(method).join('')}}\n`;
    expect(await cut('shop.ts', text)).toEqual([
      'syntax',
      '1-30 class Shop [Shop,buy]',
      '31-58 method Shop.sell [sell]',
      '59-87 method Shop.keep [keep]',
    ]);
  });

  it('names the pieces of a large function after the function', async () => {
    const chunks = await cut(
      'a.py',
      `class A:\n  def long(self):\n${'    step(1, 2, 3)\n'.repeat(180)}`,
    );
    expect(chunks).toEqual(['syntax', '1-109 class A [A,long]', '110-182 method A.long []']);
  });

  it('leaves no tree in memory', async () => {
    const text = SAMPLES.typescript.text.repeat(60);
    const chunkOften = async (times: number): Promise<number> => {
      for (let time = 0; time < times; time += 1) await cut('a.ts', text);
      return process.memoryUsage().external;
    };
    const before = await chunkOften(3);
    expect((await chunkOften(40)) - before).toBeLessThan(12_000_000);
  });

  it('reads a .h file as C++ when it contains C++', async () => {
    const text = 'namespace a {\nclass Box {\n public:\n  int size();\n};\n}\n';
    expect(await cut('box.h', text)).toEqual(['syntax', '1-6 namespace a [a,Box,size]']);
    expect(await cut('box.h', 'struct box { int n; };\n')).toEqual([
      'syntax',
      '1-1 struct box [box]',
    ]);
  });

  it('finds what dialects of SQL declare that the grammar does not know, and no columns named like keywords', async () => {
    const text = [
      'DELIMITER //',
      'CREATE DEFINER=`root`@`localhost` PROCEDURE `archive_orders`(IN days INT)',
      'BEGIN',
      '  DELETE FROM orders WHERE age > days;',
      'END //',
      'GO',
      'CREATE OR ALTER PROCEDURE [dbo].[Close Day] @day DATE AS',
      'BEGIN',
      '  UPDATE orders SET closed = 1;',
      'END',
      'GO',
      'CREATE TABLE [dbo].[Things] (',
      '  type TEXT',
      ');',
      'CREATE TABLE orders (',
      '  type TEXT,',
      '  age INT',
      ');',
    ].join('\n');
    const { how, definitions } = await chunkText({ path: 'a.sql', text }, parsers, 'syntax');
    expect([how, definitions.map(({ line, kind, path }) => `${line} ${kind} ${path}`)]).toEqual([
      'syntax',
      [
        '2 function archive_orders',
        '7 function dbo.Close Day',
        '12 table dbo.Things',
        '13 property dbo.Things.type',
        '15 table orders',
        '16 property orders.type',
        '17 property orders.age',
      ],
    ]);
  });

  it('finds all statements of a long dump of SQL with an error', async () => {
    const tables = Array.from({ length: 20_000 }, (_, index) => `CREATE TABLE t${index} (a INT);`);
    const procedure = 'CREATE PROCEDURE tidy(IN days INT)';
    const text = [...tables, procedure].join('\n');
    const { how, definitions } = await chunkText({ path: 'a.sql', text }, parsers, 'syntax');
    const found = definitions.filter(({ kind }) => kind !== 'property').map(({ name }) => name);
    expect([how, found.length, found.at(-1)]).toEqual(['syntax', 20_001, 'tidy']);
  });

  it('reads the script of a Vue component', async () => {
    const text = `<template>
${'  <p>{{ label }}</p>\n'.repeat(30)}</template>

<script setup lang="ts">
/** The label. */
export function labelOf(count: number): string {
${body(38)}}
</script>

<style>
${'p { color: red }\n'.repeat(30)}</style>
`;
    expect(await cut('Counter.vue', text)).toEqual([
      'syntax',
      '1-33 section template []',
      '34-77 function labelOf [labelOf]',
      '78-109 section style []',
    ]);
  });
});

describe('chunking by sections or lines', () => {
  verifies('COD-05');

  it('names chunks of Markdown after headings, and ignores headings inside code blocks', async () => {
    const filler = 'Some words that fill the section up, so that it is one chunk.\n'.repeat(20);
    const text = `---\ntitle: x\n---\n# Guide\n${filler}\n## Install\n\`\`\`sh\n# no heading\n\`\`\`\n${filler}\nUse\n---\n${filler}`;
    expect(await cut('guide.md', text)).toEqual([
      'lines',
      '1-25 section Guide [Guide]',
      '26-50 section Install [Install]',
      '51-72 section Use [Use]',
    ]);
  });

  it.each([
    ['config.yaml', 'services:\n  web: 1\n# c\nvolumes:\n  a: {}\n', 'services,volumes'],
    ['Cargo.toml', '[package]\nname = "x"\n\n[[bin]]\nname = "y"\n', 'package,bin'],
    [
      'package.json',
      '{\n  "name": "x",\n  "scripts": {\n    "test": "y"\n  }\n}\n',
      'name,scripts',
    ],
    ['guide.adoc', '= Guide\n\n== Install\n', 'Guide,Install'],
    ['guide.rst', 'Guide\n=====\n\nInstall\n-------\n', 'Guide,Install'],
  ])('names the chunk of %s after its sections', async (path, text, names) => {
    const { chunks } = await chunkText({ path, text }, parsers, 'syntax');
    expect(chunks.map((chunk) => [chunk.kind, chunk.names.join(',')])).toEqual([
      ['section', names],
    ]);
  });

  it('guesses names in languages without a grammar', async () => {
    const text = 'package app\n\nfinal class User { }\n\n  static def load(id) { 1 }\n';
    expect(await cut('User.groovy', text)).toEqual(['lines', '1-5 class User [User,load]']);
  });

  it('finds only lines in a file of unknown language', async () => {
    expect(await cut('NOTES', 'type of thing\nclass of its own\n')).toEqual([
      'lines',
      '1-2 lines - []',
    ]);
  });

  it.each([
    ['generated', `// Code generated by protoc. DO NOT EDIT.\nfunction f() {}\n`],
    ['minified', `function f(){return 1}${'a=b+c;'.repeat(2000)}\n`],
    ['large', 'function f() {}\n'.repeat(70_000)],
  ])('cuts a %s file by lines', async (_, text) => {
    expect((await chunkText({ path: 'a.js', text }, parsers, 'syntax')).how).toBe('lines');
  });

  it('measures processor time, so a file gets the same time on a busy machine', async () => {
    let elapsed = 0;
    const patient = new Parsers({ elapsed: () => (elapsed += 60_000), used: () => 0 });
    const text = 'function f() { return g(1); }\n'.repeat(500);
    expect((await chunkText({ path: 'a.js', text }, patient, 'syntax')).how).toBe('syntax');
  });

  it('cuts a file by lines when it takes too long to parse', async () => {
    const impatient = new Parsers({ mostMs: -1 });
    const text = 'function f() { return g(1); }\n'.repeat(500);
    const late = await chunkText({ path: 'a.js', text }, impatient, 'syntax');
    expect(late.how).toBe('lines');
    // The parser must not continue with the next file as the rest of this one.
    expect(late).toEqual(await chunkText({ path: 'a.js', text }, parsers, 'lines'));
  });

  it('cuts a file by lines if its parser never ends', async () => {
    // The grammar of Kotlin loops on these mistakes.
    const mistakes = '{h\nH\n$}\n\noegval text: String)\n\n';
    const code = `enum class Priority {
    LOW, HIGH
}

object Registry {
    fun find(name: String): Mailbox? = null
}

suspend fun Mailbox.drain(): List<Message> {
    return emptyList()
}

`;
    const limited = new Parsers({ mostMs: 200 });
    const file = { path: 'a.kt', text: mistakes + code };
    expect(await chunkText(file, limited, 'syntax')).toEqual(
      await chunkText(file, limited, 'lines'),
    );
    const correct = await chunkText({ path: 'a.kt', text: code }, limited, 'syntax');
    expect(correct.how).toBe('syntax');
  });
});

async function cut(path: string, text: string, way: Way = 'syntax'): Promise<readonly string[]> {
  const { how, chunks } = await chunkText({ path, text }, parsers, way);
  return [how, ...chunks.map(inWords)];
}

function inWords({ startLine, endLine, kind, symbol = '-', names }: Chunk): string {
  return `${startLine}-${endLine} ${kind} ${symbol} [${names.join(',')}]`;
}

function body(lines: number): string {
  return '    await something.happens(1, 2, 3, 4);\n'.repeat(lines);
}
