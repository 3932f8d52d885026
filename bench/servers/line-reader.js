// Splits a stream into lines of JSON, for the hand-written peers of the benchmarks. It checks nothing, to cost as
// little as possible.

/**
 * @param {NodeJS.ReadableStream} stream
 * @param {(messages: readonly any[]) => void} onMessages receives all messages of one chunk together
 */
export function readLines(stream, onMessages) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (/** @type {string} */ text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) onMessages(lines.map((line) => JSON.parse(line)));
  });
}
