import type { WriteStream } from 'node:tty'
import type { Progress } from '../database/backup/progress.ts'

export type Output = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY'>>

const msBetweenUpdates = 100

/** One line for each step, which grows in place where somebody watches. */
export function showProgress(output: Output): Progress {
  let name = ''
  let bytes = 0
  let began = 0
  let shownAt = 0
  const line = (rows?: number) =>
    [
      `  ${name.padEnd(24)}`,
      rows === undefined ? ' '.repeat(15) : `${rows.toLocaleString('en')} rows`.padStart(15),
      inMegabytes(bytes).padStart(12),
      speed(bytes, performance.now() - began).padStart(12),
    ].join(' ')
  const update = () => {
    if (!output.isTTY || performance.now() - shownAt < msBetweenUpdates) return
    shownAt = performance.now()
    output.write(`\r\x1b[2K${line()}`)
  }
  return {
    step(next) {
      name = next
      bytes = 0
      began = performance.now()
      update()
    },
    bytes(count) {
      bytes += count
      update()
    },
    done(rows) {
      output.write(`${output.isTTY ? '\r\x1b[2K' : ''}${line(rows)}\n`)
    },
  }
}

/** For the last line: what was moved, and how long it took. */
export function summary({ rows, bytes }: { rows: number; bytes: number }, milliseconds: number): string {
  const seconds = (milliseconds / 1000).toFixed(1)
  return `${rows.toLocaleString('en')} rows, ${inMegabytes(bytes)} in ${seconds} s (${speed(bytes, milliseconds)})`
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function speed(bytes: number, milliseconds: number): string {
  return `${(bytes / 1e3 / Math.max(milliseconds, 1)).toFixed(0)} MB/s`
}
