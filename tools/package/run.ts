import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a program and returns what it prints. The error of one that fails contains its messages. */
export const run = promisify(execFile)

/** The time that built files carry: that of the last commit so that the same sources result in the same files. */
export async function sourceDate(): Promise<Date> {
  const given = process.env.SOURCE_DATE_EPOCH ?? (await run('git', ['log', '-1', '--format=%ct'])).stdout
  return new Date(Number(given) * 1000)
}
