// The program of the process that opens the keychain: `node -e … ACTION ID LIBRARY`. It is a string, so that a bundled
// command needs no further file. It prints `{"kind":"open"}` once the keychain is reached, and then its answer. It
// creates new keys itself, so that no key is ever an argument.

export const KEYCHAIN_PROGRAM = String.raw`
const { randomBytes } = require('node:crypto');
const [action, id, library] = process.argv.slice(1);
const say = (word) => process.stdout.write(JSON.stringify(word) + '\n');
const reason = (thrown) => String(thrown && thrown.message);

async function answer(entry) {
  if (action === 'look') return { kind: 'open' };
  const kept = (await entry.getPassword()) ?? undefined;
  if (kept !== undefined) return { kind: 'key', text: kept };
  if (action === 'read') return { kind: 'no-entry' };
  const text = randomBytes(32).toString('hex');
  await entry.setPassword(text);
  return (await entry.getPassword()) === text
    ? { kind: 'key', text }
    : { kind: 'refused', message: 'what was stored could not be read back' };
}

function load() {
  try {
    return require(library);
  } catch {
    return undefined;
  }
}

function open({ AsyncEntry }) {
  try {
    // Without this the library takes the kernel's keyring where there is no service: it forgets.
    return { entry: new AsyncEntry('plugboard', id, { linux: { store: 'secret-service' } }) };
  } catch (thrown) {
    return { problem: { kind: 'no-service', message: reason(thrown) } };
  }
}

async function main() {
  // The caller may be gone by then.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 60_000).unref();
  const loaded = load();
  if (loaded === undefined) return say({ kind: 'no-library' });
  const { entry, problem } = open(loaded);
  if (problem !== undefined) return say(problem);
  say({ kind: 'open' });
  try {
    say(await answer(entry));
  } catch (thrown) {
    say({ kind: 'refused', message: reason(thrown) });
  }
}

void main();
`;
