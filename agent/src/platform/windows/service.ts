import type { Service } from '../machine.ts'
import { writeEvent } from './event-log.ts'
import { writeLogLine } from './log-file.ts'
import { library } from './win32/library.ts'

const kernel32 = library('kernel32.dll', {
  OpenEventW: ['intptr', 'uint32', 'int', 'str16'],
  WaitForSingleObject: ['uint32', 'intptr', 'uint32'],
})

const synchronize = 0x10_0000
const pollMs = 200

type Stop = (reason: string) => void

const stops = new Set<Stop>()
let isService = process.env.MUSTER_AGENT_STOP_EVENT !== undefined

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
    const timer = watchLauncher(stop)
    return () => {
      clearInterval(timer)
      process.off('SIGINT', onInterrupt)
      stops.delete(stop)
    }
  },
  log(line) {
    if (!isService) return console.log(`${new Date().toISOString()} ${line}`)
    writeLogLine(line)
    writeEvent(line)
  },
}

/** The launcher of another version of the agent signals an event when that is to stop. */
function watchLauncher(stop: Stop): NodeJS.Timeout | undefined {
  const name = process.env.MUSTER_AGENT_STOP_EVENT
  if (!name) return undefined
  const event = kernel32.OpenEventW(synchronize, 0, name)
  let isSignalled = false
  return setInterval(() => {
    if (isSignalled || kernel32.WaitForSingleObject(event, 0) !== 0) return
    isSignalled = true
    stop('The service is stopped')
  }, pollMs)
}
