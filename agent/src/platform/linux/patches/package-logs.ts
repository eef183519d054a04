import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const unzip = promisify(gunzip)

/** Much more than logs of packages have, and little enough for the agent. */
const maxLogBytes = 64 * 1024 * 1024
const maxFiles = 100

/**
 * The contents of a log and of its rotated files, newest first: `dpkg.log`, `dpkg.log.1`, `dpkg.log.2.gz`, or with dates,
 * `dpkg.log-20261101.gz`. Files that cannot be read are left out.
 */
export async function* readRotatedLogs(path: string): AsyncGenerator<string> {
  const names = await readdir(dirname(path)).catch(() => [])
  for (const name of sortRotated(basename(path), names).slice(0, maxFiles)) {
    const content = await readLog(join(dirname(path), name)).catch(() => undefined)
    if (content !== undefined) yield content
  }
}

/** Newest first. Numbers count back in time, dates forward. */
export function sortRotated(name: string, names: readonly string[]): string[] {
  const found = names.flatMap((one) => {
    const [, number, date] = one.startsWith(name)
      ? (/^(?:\.(\d{1,4})|-(\d{8,14}))?(?:\.gz)?$/.exec(one.slice(name.length)) ?? [undefined])
      : [undefined]
    if (one === name) return [{ one, age: -1 }]
    if (number !== undefined) return [{ one, age: Number(number) }]
    // After all numbers: the latest date first.
    return date === undefined ? [] : [{ one, age: 1e15 - Number(date) }]
  })
  return found.toSorted((left, right) => left.age - right.age).map(({ one }) => one)
}

async function readLog(path: string): Promise<string | undefined> {
  if ((await stat(path)).size > maxLogBytes) return undefined
  const content = await readFile(path)
  return (path.endsWith('.gz') ? await unzip(content, { maxOutputLength: maxLogBytes }) : content).toString('utf8')
}
