// One variable of the environment. One that is empty counts as not set.

export function environmentVariable(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}
