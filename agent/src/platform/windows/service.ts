import { print } from '@muster/text/print'
import type { Service } from '../machine.ts'
import { writeEvent } from './event-log.ts'
import { writeLogLine } from './log-file.ts'
import { stopEventVariable, watchStopEvent } from './stop-event.ts'

type Stop = (reason: string) => void

const stops = new Set<Stop>()
const stopEvent = process.env[stopEventVariable]
let isService = stopEvent !== undefined

/** From now on, the log is that of the service. */
export function becomeService(): void {
  isService = true
}

/** Passes a request of the service manager to what runs now. */
export function requestStop(reason: string): void {
  for (const stop of stops) stop(reason)
}

export const service: Service = {
  onStop(stop) {
    stops.add(stop)
    const onInterrupt = () => stop('Interrupted')
    process.on('SIGINT', onInterrupt)
    const endWatch = stopEvent && watchStopEvent(stopEvent, () => stop('The service is stopped'))
    return () => {
      if (endWatch) endWatch()
      process.off('SIGINT', onInterrupt)
      stops.delete(stop)
    }
  },
  log(line, event) {
    if (!isService) return print(`${new Date().toISOString()} ${line}`)
    writeLogLine(line)
    if (event) writeEvent(line, event)
  },
}
