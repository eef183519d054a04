import { readFile } from 'node:fs/promises'

/** The names by which a package can refer to this operating system. */
export async function systemNames(): Promise<string[]> {
  const release = fieldsOf(await osRelease())
  const { ID, NAME, PRETTY_NAME, VERSION_ID } = release
  const withVersion = VERSION_ID ? [ID, NAME].map((name) => name && `${name} ${VERSION_ID}`) : []
  return ['Linux', ID, NAME, PRETTY_NAME, ...withVersion].filter((name) => name !== undefined)
}

/** The release of the distribution, used as the product of its patches. */
export async function productName(): Promise<string> {
  const { NAME, PRETTY_NAME, VERSION_ID } = fieldsOf(await osRelease())
  return (NAME && VERSION_ID ? `${NAME} ${VERSION_ID}` : (PRETTY_NAME ?? NAME)) || 'Linux'
}

/** Why a package does not support this system, or undefined. A package that names no system supports all. */
export async function findMismatch(operatingSystems: readonly string[]): Promise<string | undefined> {
  const names = await systemNames()
  const mine = new Set(names.map((name) => name.toLowerCase()))
  if (operatingSystems.length === 0 || operatingSystems.some((name) => mine.has(name.toLowerCase()))) return undefined
  return `The package is for ${operatingSystems.join(', ')}; this computer runs ${names.at(3) ?? names.at(2) ?? 'Linux'}.`
}

async function osRelease(): Promise<string> {
  return readFile('/etc/os-release', 'utf8').catch(() => readFile('/usr/lib/os-release', 'utf8').catch(() => ''))
}

function fieldsOf(text: string): Record<string, string | undefined> {
  const lines = [...text.matchAll(/^([A-Z_]+)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(.*))$/gm)]
  return Object.fromEntries(lines.map(([, name, double, single, bare]) => [name, double ?? single ?? bare]))
}
