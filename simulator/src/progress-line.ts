import type { Simulation } from './simulation.ts'

/**
 * Shows the progress: in a terminal on one line, every second; otherwise on a new line, every ten seconds. Returns the
 * function that stops it.
 */
export function showProgress({ progress, measurements }: Simulation, computers: number): () => void {
  const isTerminal = process.stderr.isTTY === true
  const began = Date.now()
  let [requests, time] = [0, began]
  const show = () => {
    const { enrolled, waiting, underWay, busy } = progress()
    const now = Date.now()
    const rate = ((measurements.requestCount() - requests) * 1000) / Math.max(1, now - time)
    requests = measurements.requestCount()
    time = now
    const line = [
      `${Math.round((now - began) / 1000)} s`,
      `${enrolled} of ${computers} enrolled`,
      `${measurements.countOf('contacts')} contacts`,
      `${Math.round(rate)} requests/s`,
      `${underWay} under way, ${waiting} waiting`,
      `${busy} working`,
      `${measurements.errorCount()} errors`,
    ].join('  ')
    process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`)
  }
  const timer = setInterval(show, isTerminal ? 1_000 : 10_000)
  return () => {
    clearInterval(timer)
    if (isTerminal) process.stderr.write('\r\u001b[K')
  }
}
