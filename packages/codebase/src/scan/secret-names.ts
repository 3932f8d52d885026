// Which files look like secrets, by their names and folders: keys, passwords, tokens. A guess that does not look at
// their content. Pure.

/** Of files, as ripgrep takes them. They are compared without regard to case. */
const NAMES: readonly string[] = [
  '.env',
  '.env.*',
  '.envrc',
  '.npmrc',
  '.yarnrc.yml',
  '.netrc',
  '_netrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.dockercfg',
  '.git-credentials',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.ppk',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  '*.tfstate',
  'credentials.json',
  'secrets.json',
  'secrets.yml',
  'secrets.yaml',
  'secrets.toml',
];
/** All that is in them. */
const FOLDERS: readonly string[] = ['.git', '.ssh', '.aws', '.azure', '.gnupg', '.kube', '.docker'];
/** Those that only show what the others look like. */
const EXAMPLES = /^\.env\.(example|sample|template|dist|defaults)$/i;

/** Keeps them out of what ripgrep lists and searches. */
export const WITHOUT_SECRETS: readonly string[] = [...NAMES, ...FOLDERS].map(
  (name) => `--iglob=!${name}`,
);

const SECRET_NAME = new RegExp(`^(?:${NAMES.map(globPattern).join('|')})$`, 'i');
const SECRET_FOLDERS = new Set(FOLDERS);

export function looksSecret(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  if (parts.some((part) => SECRET_FOLDERS.has(part))) return true;
  return SECRET_NAME.test(name) && !EXAMPLES.test(name);
}

function globPattern(glob: string): string {
  return glob.replaceAll('.', '\\.').replaceAll('*', '.*');
}
