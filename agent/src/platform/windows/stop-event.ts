import { randomUUID } from 'node:crypto'
import { library } from './win32/library.ts'
import { check } from './win32/system-error.ts'

const kernel32 = library('kernel32.dll', {
  CloseHandle: ['int', 'intptr'],
  CreateEventW: ['intptr', 'void *', 'int', 'int', 'str16'],
  OpenEventW: ['intptr', 'uint32', 'int', 'str16'],
  SetEvent: ['int', 'intptr'],
  WaitForSingleObject: ['uint32', 'intptr', 'uint32'],
})

const synchronize = 0x10_0000
const pollMs = 200

/** The variable with the name of the event that the launcher of this process signals. */
export const stopEventVariable = 'MUSTER_AGENT_STOP_EVENT'

/** An event with which the launcher asks a process to stop: Windows has no signals. */
export function createStopEvent() {
  const name = `Global\\Muster-stop-${randomUUID()}`
  const handle = check('An event could not be created', kernel32.CreateEventW(null, 1, 0, name))
  return {
    name,
    signal: () => void kernel32.SetEvent(handle),
    close: () => void kernel32.CloseHandle(handle),
  }
}

/** Calls `stop` once the launcher asks this process to stop. Returns a function that ends this. */
export function watchStopEvent(name: string, stop: () => void): () => void {
  const handle = check('The event of the launcher could not be opened', kernel32.OpenEventW(synchronize, 0, name))
  const end = () => {
    clearInterval(timer)
    kernel32.CloseHandle(handle)
  }
  const timer = setInterval(() => {
    if (kernel32.WaitForSingleObject(handle, 0) !== 0) return
    clearInterval(timer)
    stop()
  }, pollMs)
  return end
}
