import { readFile } from 'node:fs/promises'
import { inRoot } from './repositories/system-root.ts'

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

export async function systemTitle(): Promise<string> {
  const { ID, NAME, PRETTY_NAME } = fieldsOf(await osRelease())
  return PRETTY_NAME ?? NAME ?? ID ?? 'Linux'
}

export async function osRelease(): Promise<string> {
  const read = (path: string) => readFile(inRoot(path), 'utf8')
  return read('/etc/os-release').catch(() => read('/usr/lib/os-release').catch(() => ''))
}

export function fieldsOf(text: string): Record<string, string | undefined> {
  const lines = [...text.matchAll(/^([A-Z_]+)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(.*))$/gm)]
  return Object.fromEntries(lines.map(([, name, double, single, bare]) => [name, double ?? single ?? bare]))
}
