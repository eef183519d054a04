import type { Simulation } from './simulation.ts'

/** Tells how far it is: on one line of a terminal each second, elsewhere on a new line each ten seconds. */
export function showProgress({ progress, measurements }: Simulation, computers: number): () => void {
  const isTerminal = process.stderr.isTTY === true
  const began = Date.now()
  let [requests, time] = [0, began]
  const show = () => {
    const { enrolled, waiting, underWay, busy } = progress()
    const now = Date.now()
    const rate = ((measurements.requests() - requests) * 1000) / Math.max(1, now - time)
    requests = measurements.requests()
    time = now
    const line = [
      `${Math.round((now - began) / 1000)} s`,
      `${enrolled} of ${computers} enrolled`,
      `${measurements.counted('contacts')} contacts`,
      `${Math.round(rate)} requests/s`,
      `${underWay} under way, ${waiting} waiting`,
      `${busy} at work`,
      `${measurements.failures()} errors`,
    ].join('  ')
    process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`)
  }
  const timer = setInterval(show, isTerminal ? 1_000 : 10_000)
  return () => {
    clearInterval(timer)
    if (isTerminal) process.stderr.write('\r\u001b[K')
  }
}
