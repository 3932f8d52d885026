// Decides from the words of a shell command whether it sends something out of the machine. Only programs that are known
// to work locally count as local; an unknown program sends out. A build or a test can still send something: this judges the
// command line, and is not a sandbox. Pure.

const LOCAL = new Set(
  'alias awk basename bzip2 cat cd chmod cmp column comm cp cut date df diff dirname du echo env export expr false file find fmt fold free grep gunzip gzip head hostname id jobs jq kill less ln ls make md5sum mkdir more mv node nl od paste patch pgrep pkill printf ps pwd python python3 readlink realpath rev rg rm rmdir sed seq set sleep sha256sum shuf sort split stat tac tail tar tee test time touch tr tree true tsc type ulimit umask uname uniq unset unzip uptime wait wc which whoami xargs xz yes zip cargo go pytest vitest jest eslint prettier oxlint mocha tsx rustc gcc cc clang javac mvn gradle cmake ninja ruff mypy black'.split(
    ' ',
  ),
);

/** Programs that are local only with some of their subcommands. */
const SUBCOMMANDS: Readonly<Record<string, { readonly local: ReadonlySet<string> }>> = {
  git: {
    local: new Set(
      'add apply bisect blame branch checkout cherry-pick clean commit config describe diff grep init log ls-files merge mv rebase reflog reset restore rev-parse revert rm show stash status switch tag worktree'.split(
        ' ',
      ),
    ),
  },
  npm: {
    local: new Set('test t run run-script start ls list outdated ci install i pack'.split(' ')),
  },
  pnpm: { local: new Set('test run start list install i'.split(' ')) },
  yarn: { local: new Set('test run start list install'.split(' ')) },
  docker: { local: new Set('ps images logs inspect build'.split(' ')) },
};

const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$))/iu;
const OTHER_WAYS = /\/dev\/(?:tcp|udp)\//u;

export function commandSendsOut(command: string): boolean {
  if (ADDRESS.test(command) || OTHER_WAYS.test(command)) return true;
  // Substitutions and quotes are treated like commands: a false alarm only causes a question.
  const plain = command.replaceAll(/\d?(?:>>?|<<?<?)&?[ \t]*[^\s;&|()`{}]+/gu, ' ');
  return plain.split(/[;&|\n\r()`{}]/u).some((part) => sendsOut(commandWords(part)));
}

function commandWords(part: string): readonly string[] {
  return part
    .split(/\s+/u)
    .map((word) => word.replaceAll(/["'\\]/gu, ''))
    .filter((word) => word !== '' && word !== '!' && word !== '$');
}

/** Programs that reach other machines, anywhere in a command: `xargs curl`, `find -exec scp`. */
const REMOTE = new Set(
  'curl wget nc ncat netcat socat ssh scp sftp rsync ftp tftp telnet gh glab aws gcloud az kubectl helm mail sendmail http https xh aria2c dig nslookup host ping'.split(
    ' ',
  ),
);

/** Options that pass a program to an interpreter on the command line. */
const INLINE = /^(?:-e|-c|-p|--eval|--print|-m)$/u;
const INTERPRETERS = new Set(['node', 'python', 'python3', 'awk', 'tsx']);

const PREFIXES = new Set('env time nice nohup command exec then do else if while until'.split(' '));

function sendsOut(words: readonly string[]): boolean {
  const start = words.findIndex((word) => !/^\w+=/u.test(word) && !PREFIXES.has(word));
  const program = words[start]?.replace(/^.*\//u, '');
  if (program === undefined || /^(?:fi|done|esac|for|case|in)$/u.test(program)) return false;
  if (words.some((word) => REMOTE.has(word.replace(/^.*\//u, '')))) return true;
  if (INTERPRETERS.has(program) && words.some((word) => INLINE.test(word))) return true;
  const split = Object.hasOwn(SUBCOMMANDS, program) ? SUBCOMMANDS[program] : undefined;
  if (split === undefined) return !LOCAL.has(program);
  const subcommand = words.slice(start + 1).find((word) => !word.startsWith('-'));
  return subcommand !== undefined && !split.local.has(subcommand);
}
