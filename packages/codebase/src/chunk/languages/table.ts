// The table of languages. Files of a language with a grammar are cut along their syntax, others by headings, keys or
// lines; they are listed so that searches can be limited to them.

import type { LanguageRow } from './language.ts';

const TABLE = [
  {
    name: 'bash',
    extensions: ['sh', 'bash', 'zsh', 'ksh', 'bats', 'ebuild'],
    fileNames: ['.bashrc', '.bash_profile', '.profile', '.zshrc', 'PKGBUILD'],
    programs: ['sh', 'bash', 'zsh', 'dash', 'ksh'],
  },
  { name: 'c', extensions: ['c', 'h'] },
  {
    name: 'cpp',
    extensions: [
      'cpp',
      'cc',
      'cxx',
      'c++',
      'hpp',
      'hh',
      'hxx',
      'h++',
      'ipp',
      'inl',
      'tpp',
      'cu',
      'cuh',
    ],
  },
  { name: 'csharp', extensions: ['cs', 'csx'] },
  { name: 'css', extensions: ['css'] },
  { name: 'dart', extensions: ['dart'], programs: ['dart'] },
  { name: 'elixir', extensions: ['ex', 'exs'], programs: ['elixir'] },
  { name: 'go', extensions: ['go'] },
  {
    name: 'ini',
    extensions: ['ini', 'cfg', 'conf', 'properties', 'desktop', 'service'],
    fileNames: ['.editorconfig', '.gitconfig', '.npmrc', '.gitmodules'],
  },
  { name: 'java', extensions: ['java'] },
  {
    name: 'javascript',
    extensions: ['js', 'mjs', 'cjs', 'jsx', 'es6'],
    programs: ['node', 'nodejs', 'bun'],
  },
  { name: 'kotlin', extensions: ['kt', 'kts'] },
  { name: 'lua', extensions: ['lua'], programs: ['lua', 'luajit'] },
  { name: 'php', extensions: ['php', 'phtml', 'inc'], programs: ['php'] },
  {
    name: 'powershell',
    extensions: ['ps1', 'psm1', 'psd1'],
    programs: ['pwsh'],
  },
  {
    name: 'python',
    extensions: ['py', 'pyi', 'pyw', 'bzl', 'bazel'],
    fileNames: ['SConstruct', 'BUILD', 'WORKSPACE'],
    programs: ['python', 'python2', 'python3', 'uv'],
  },
  {
    name: 'ruby',
    extensions: ['rb', 'rake', 'gemspec', 'ru', 'podspec'],
    fileNames: ['Gemfile', 'Rakefile', 'Podfile', 'Vagrantfile', 'Guardfile', 'Brewfile'],
    programs: ['ruby'],
  },
  { name: 'rust', extensions: ['rs'] },
  { name: 'scala', extensions: ['scala', 'sc', 'sbt'] },
  { name: 'solidity', extensions: ['sol'] },
  { name: 'sql', extensions: ['sql', 'ddl', 'psql'], lines: 'sql' },
  { name: 'swift', extensions: ['swift'], programs: ['swift'] },
  { name: 'tsx', extensions: ['tsx'] },
  {
    name: 'typescript',
    extensions: ['ts', 'mts', 'cts'],
    programs: ['deno', 'ts-node', 'tsx'],
  },

  { name: 'markdown', extensions: ['md', 'markdown', 'mdx', 'mdc'] },
  { name: 'json', extensions: ['json', 'jsonc', 'json5', 'webmanifest'], fileNames: ['.babelrc'] },
  { name: 'yaml', extensions: ['yaml', 'yml'], fileNames: ['.clang-format'] },
  { name: 'toml', extensions: ['toml'], fileNames: ['Pipfile', 'Cargo.lock'] },

  { name: 'asciidoc', extensions: ['adoc', 'asciidoc'] },
  { name: 'assembly', extensions: ['s', 'asm'] },
  { name: 'astro', extensions: ['astro'] },
  { name: 'clojure', extensions: ['clj', 'cljs', 'cljc', 'edn'] },
  { name: 'cmake', extensions: ['cmake'], fileNames: ['CMakeLists.txt'] },
  {
    name: 'dockerfile',
    extensions: ['dockerfile'],
    fileNames: ['Dockerfile', 'Containerfile'],
    lines: 'nothing',
  },
  { name: 'erlang', extensions: ['erl', 'hrl'] },
  { name: 'fsharp', extensions: ['fs', 'fsi', 'fsx'] },
  { name: 'graphql', extensions: ['graphql', 'gql'] },
  { name: 'groovy', extensions: ['groovy', 'gradle'], fileNames: ['Jenkinsfile'] },
  { name: 'haskell', extensions: ['hs', 'lhs'] },
  { name: 'html', extensions: ['html', 'htm', 'xhtml'], lines: 'nothing' },
  { name: 'julia', extensions: ['jl'] },
  { name: 'less', extensions: ['less'] },
  {
    name: 'make',
    extensions: ['mk', 'mak'],
    fileNames: ['Makefile', 'makefile', 'GNUmakefile'],
    lines: 'nothing',
  },
  { name: 'nix', extensions: ['nix'] },
  { name: 'notebook', extensions: ['ipynb'] },
  { name: 'objective-c', extensions: ['m', 'mm'] },
  { name: 'ocaml', extensions: ['ml', 'mli'] },
  { name: 'perl', extensions: ['pl', 'pm', 't'], programs: ['perl'] },
  { name: 'protobuf', extensions: ['proto'] },
  { name: 'r', extensions: ['r', 'rmd'], programs: ['Rscript'] },
  { name: 'restructuredtext', extensions: ['rst'] },
  { name: 'scss', extensions: ['scss', 'sass'] },
  { name: 'svelte', extensions: ['svelte'] },
  { name: 'terraform', extensions: ['tf', 'tfvars', 'hcl'] },
  { name: 'text', extensions: ['txt', 'text', 'log'], lines: 'nothing' },
  { name: 'vue', extensions: ['vue'] },
  {
    name: 'xml',
    extensions: ['xml', 'xsd', 'xsl', 'svg', 'csproj', 'props', 'plist'],
    lines: 'nothing',
  },
  { name: 'zig', extensions: ['zig'] },
] as const satisfies readonly LanguageRow[];

export type LanguageName = (typeof TABLE)[number]['name'];

export interface Language extends LanguageRow {
  readonly name: LanguageName;
}

export const LANGUAGES: readonly Language[] = TABLE;
