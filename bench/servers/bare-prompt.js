// A prompt that only echoes: the cost of a key press on the terminal itself. Ctrl-U clears the line.

const PROMPT = '❯ ';

process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');
process.stdout.write(PROMPT);
process.stdin.on('data', (typed) => {
  process.stdout.write(typed === '\u0015' ? `\r\u001B[K${PROMPT}` : typed);
});
