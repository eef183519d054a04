import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from './paths.ts'

const maxBytes = 1024 * 1024

/** Appends a line to the log of the service. An earlier file is kept, so at least 1 MB of lines can be read. */
export function writeLogLine(line: string): void {
  try {
    const path = join(dataFolder(), 'agent.log')
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`)
    appendFileSync(path, `${new Date().toISOString()} ${line}\r\n`)
  } catch {
    // The agent works without a log, for example on a full disk.
  }
}
