import { print } from '@muster/text/print'
import type { Service } from '../machine.ts'

const signals = ['SIGTERM', 'SIGINT'] as const

export const service: Service = {
  onStop(stop) {
    for (const signal of signals) process.on(signal, stop)
    return () => {
      for (const signal of signals) process.off(signal, stop)
    }
  },
  /** The systemd journal adds the time itself; a terminal gets it from here. */
  log: (line) => print(process.env.JOURNAL_STREAM ? line : `${new Date().toISOString()} ${line}`),
}
