// Guesses by their names and folders which files contain secrets, such as keys, passwords and tokens. Pure: the content is
// not examined.

/** File names as globs of ripgrep, compared without regard to case. */
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
/** Folders of which every file is secret. */
const FOLDERS: readonly string[] = ['.git', '.ssh', '.aws', '.azure', '.gnupg', '.kube', '.docker'];
/** Templates that contain no secrets. */
const EXAMPLES = /^\.env\.(example|sample|template|dist|defaults)$/i;

/** Arguments that exclude secrets from listings and searches of ripgrep. */
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
