import type { WriteStream } from 'node:tty'
import { visibleLine } from '@muster/text'
import type { Progress } from '../database/backup/progress.ts'

export type Output = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY'>>

const updateIntervalMs = 100

/** Prints a line per step. On a terminal, the line is updated in place. */
export function showProgress(output: Output): Progress {
  let name = ''
  let bytes = 0
  let start = 0
  let lastUpdate = 0
  const line = (rows?: number) =>
    [
      `  ${name.padEnd(24)}`,
      rows === undefined ? ' '.repeat(15) : `${rows.toLocaleString('en')} rows`.padStart(15),
      formatMegabytes(bytes).padStart(12),
      formatSpeed(bytes, performance.now() - start).padStart(12),
    ].join(' ')
  const update = () => {
    if (!output.isTTY || performance.now() - lastUpdate < updateIntervalMs) return
    lastUpdate = performance.now()
    output.write(`\r\x1b[2K${line()}`)
  }
  return {
    step(next) {
      name = visibleLine(next)
      bytes = 0
      start = performance.now()
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

/** The rows, bytes and time of a whole backup or restore. */
export function formatSummary({ rows, bytes }: { rows: number; bytes: number }, milliseconds: number): string {
  const seconds = (milliseconds / 1000).toFixed(1)
  return `${rows.toLocaleString('en')} rows, ${formatMegabytes(bytes)} in ${seconds} s (${formatSpeed(bytes, milliseconds)})`
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function formatSpeed(bytes: number, milliseconds: number): string {
  return `${(bytes / 1e3 / Math.max(milliseconds, 1)).toFixed(0)} MB/s`
}
