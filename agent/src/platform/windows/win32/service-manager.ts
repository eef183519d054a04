import koffi from '../koffi.ts'
import { library } from './library.ts'
import { check, WindowsError } from './system-error.ts'

const advapi32 = library('advapi32.dll', {
  ChangeServiceConfig2W: ['int', 'intptr', 'uint32', 'void *'],
  CloseServiceHandle: ['int', 'intptr'],
  OpenSCManagerW: ['intptr', 'str16', 'str16', 'uint32'],
  OpenServiceW: ['intptr', 'intptr', 'str16', 'uint32'],
  RegisterServiceCtrlHandlerExW: ['intptr', 'str16', 'intptr', 'intptr'],
  SetServiceStatus: ['int', 'intptr', 'void *'],
  StartServiceCtrlDispatcherW: ['int', 'void *'],
})

export const serviceName = 'MusterAgent'

const ownProcess = 0x10
const states = { stopped: 1, stopPending: 3, running: 4 } as const
const controls = { stop: 1, interrogate: 4, shutdown: 5 } as const
const acceptStopAndShutdown = 0x1 | 0x4
const notImplemented = 120
const stopHintMs = 30_000

/** The connection of this process with the service manager of Windows. */
export type ServiceConnection = {
  /** The service manager waits until the process reports that it has stopped. */
  reportStopped(): void
}

/**
 * Connects this process with the service manager, which calls `onStop` when the service is to stop. Rejects if the process
 * was not started as a service. The manager calls from threads of its own: koffi passes the calls to this one.
 */
export async function connectToServiceManager(onStop: (reason: string) => void): Promise<ServiceConnection> {
  let status = 0
  const report = (state: keyof typeof states) => {
    check('The state of the service could not be reported', advapi32.SetServiceStatus(status, statusOf(state)))
  }
  const handle = (control: number): number => {
    if (control === controls.interrogate) return 0
    if (control !== controls.stop && control !== controls.shutdown) return notImplemented
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
  return { reportStopped: () => report('stopped') }
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
function statusOf(state: keyof typeof states): Buffer {
  const accepted = state === 'running' ? acceptStopAndShutdown : 0
  const hint = state === 'stopPending' ? stopHintMs : 0
  const fields = [ownProcess, states[state], accepted, 0, 0, 0, hint]
  const status = Buffer.alloc(28)
  for (const [index, value] of fields.entries()) status.writeUInt32LE(value, index * 4)
  return status
}

const restart = 1
const restartDelayMs = 5_000
const failureResetSeconds = 3_600
const failureActions = 2
const connect = 0x1
/** Changing a configuration so that the service manager starts something needs the right to start as well. */
const changeAndStart = 0x2 | 0x10

/** The service manager starts the agent again whenever it ends without having been stopped. */
export function restartAfterFailures(): void {
  const manager = check('The service manager could not be opened', advapi32.OpenSCManagerW(null, null, connect))
  const service = advapi32.OpenServiceW(manager, serviceName, changeAndStart)
  try {
    check('The service could not be opened', service)
    const actions = Buffer.alloc(24)
    for (let index = 0; index < 3; index++) {
      actions.writeUInt32LE(restart, index * 8)
      actions.writeUInt32LE(restartDelayMs, index * 8 + 4)
    }
    // SERVICE_FAILURE_ACTIONSW
    const configuration = Buffer.alloc(40)
    configuration.writeUInt32LE(failureResetSeconds, 0)
    configuration.writeUInt32LE(3, 24)
    configuration.writeBigUInt64LE(BigInt(koffi.address(actions)), 32)
    check('The service could not be configured', advapi32.ChangeServiceConfig2W(service, failureActions, configuration))
  } finally {
    if (service !== 0) advapi32.CloseServiceHandle(service)
    advapi32.CloseServiceHandle(manager)
  }
}
