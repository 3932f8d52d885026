// A prompt that does nothing but show what is typed: what a key press costs on a terminal before a program does
// anything of its own. Ctrl-U begins anew.

const PROMPT = '❯ ';

process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');
process.stdout.write(PROMPT);
process.stdin.on('data', (typed) => {
  process.stdout.write(typed === '\u0015' ? `\r\u001B[K${PROMPT}` : typed);
});
