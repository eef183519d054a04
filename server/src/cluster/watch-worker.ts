import type { Worker } from 'node:cluster'
import type { FromWorker, ToWorker } from './messages.ts'

const beatIntervalMs = 1_000
/** A worker that leaves this many beats in a row unanswered hangs. */
const maxMissedBeats = 5
/** A worker loads the program and connects to the database before it reports that it has started. */
const maxBeatsOfStart = 60

/**
 * Asks a started worker every second whether it responds. Calls `onHang` once if it does not, or if it does not start.
 *
 * Beats are counted instead of time, because this process can be suspended as well, for example with the whole machine:
 * afterwards it has missed the answers of all workers, but only for one beat.
 */
export function watchWorker(worker: Worker, onHang: (symptom: string) => void): void {
  let hasStarted = false
  let isAsked = false
  let count = 0

  const beat = () => {
    if (hasStarted && !isAsked) {
      isAsked = true
      if (worker.isConnected()) worker.send({ command: 'respond' } satisfies ToWorker)
    }
    count++
    if (count <= (hasStarted ? maxMissedBeats : maxBeatsOfStart)) return
    clearInterval(timer)
    onHang(hasStarted ? 'A worker does not respond.' : 'A worker does not start.')
  }

  const timer = setInterval(beat, beatIntervalMs)
  worker.once('exit', () => clearInterval(timer))
  worker.on('message', (message: FromWorker) => {
    if (!message.outcome && !message.isResponding) return
    hasStarted = true
    isAsked = false
    count = 0
  })
}
