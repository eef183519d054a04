import koffi from '../koffi.ts'
import { library } from './library.ts'
import { check, WindowsError } from './system-error.ts'

const advapi32 = library('advapi32.dll', {
  RegisterServiceCtrlHandlerExW: ['intptr', 'str16', 'intptr', 'intptr'],
  SetServiceStatus: ['int', 'intptr', 'void *'],
  StartServiceCtrlDispatcherW: ['int', 'void *'],
})

export const serviceName = 'MusterAgent'

const ownProcess = 0x10
const states = { stopped: 1, stopPending: 3, running: 4 } as const
/** Before a shutdown, Windows waits for a service as long as it has asked for; during one, a few seconds. */
const controls = { stop: 1, interrogate: 4, shutdown: 5, beforeShutdown: 15 } as const
const acceptedControls = 0x1 | 0x4 | 0x100
const stopControls: readonly number[] = [controls.stop, controls.shutdown, controls.beforeShutdown]
const notImplemented = 120
const specificError = 1066
const stopHintMs = 30_000

/** The connection of this process with the service manager of Windows. */
export type ServiceConnection = {
  /** The service manager waits until the process reports that it has stopped. A code other than 0 is a failure. */
  reportStopped(code?: number): void
}

/**
 * Connects this process with the service manager, which calls `onStop` when the service is to stop. Rejects if the process
 * was not started as a service. The manager calls from threads of its own: koffi passes the calls to this one.
 */
export async function connectToServiceManager(onStop: (reason: string) => void): Promise<ServiceConnection> {
  let status = 0
  const report = (state: keyof typeof states, code = 0) => {
    check('The state of the service could not be reported', advapi32.SetServiceStatus(status, statusOf(state, code)))
  }
  let isStopping = false
  const handle = (control: number): number => {
    if (control === controls.interrogate) return 0
    if (!stopControls.includes(control)) return notImplemented
    // A second request would end the agent without waiting for its command.
    if (isStopping) return 0
    isStopping = true
    // Not inside of the call: the thread of the service manager waits for its end, and an error would be lost.
    setImmediate(() => {
      report('stopPending')
      onStop(control === controls.stop ? 'The service is stopped' : 'The computer shuts down')
    })
    return 0
  }
  const handler = koffi.register(handle, koffi.pointer(handlerType()))
  await new Promise<void>((resolve, reject) => {
    const main = () => {
      status = advapi32.RegisterServiceCtrlHandlerExW(serviceName, handler, 0)
      report('running')
      setImmediate(resolve)
    }
    const table = serviceTable(koffi.register(main, koffi.pointer(mainType())))
    advapi32.StartServiceCtrlDispatcherW.async(table.entries, (error, result) => {
      // Also keeps the table in memory for as long as the dispatcher runs.
      if (error || result === 0) reject(error ?? new WindowsError(`This is not a service, which ${table.name} is`))
    })
  })
  return { reportStopped: (code) => report('stopped', code) }
}

const mainType = () => koffi.proto('__stdcall', 'ServiceMain', 'void', ['uint32', 'void *'])
const handlerType = () => koffi.proto('__stdcall', 'ServiceHandler', 'uint32', ['uint32', 'uint32', 'void *', 'void *'])

/** SERVICE_TABLE_ENTRYW of the only service, and an empty one as the end. */
function serviceTable(main: bigint): { name: string; entries: Buffer; text: Buffer } {
  const text = Buffer.from(`${serviceName}\0`, 'utf16le')
  const entries = Buffer.alloc(32)
  entries.writeBigUInt64LE(BigInt(koffi.address(text)), 0)
  entries.writeBigUInt64LE(main, 8)
  return { name: serviceName, entries, text }
}

/** SERVICE_STATUS */
function statusOf(state: keyof typeof states, code: number): Buffer {
  const accepted = state === 'running' ? acceptedControls : 0
  const hint = state === 'stopPending' ? stopHintMs : 0
  const fields = [ownProcess, states[state], accepted, code === 0 ? 0 : specificError, code, 0, hint]
  const status = Buffer.alloc(28)
  for (const [index, value] of fields.entries()) status.writeUInt32LE(value, index * 4)
  return status
}
