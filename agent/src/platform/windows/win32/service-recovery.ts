import koffi from '../koffi.ts'
import { library } from './library.ts'
import { serviceName } from './service-manager.ts'
import { check } from './system-error.ts'

const advapi32 = library('advapi32.dll', {
  ChangeServiceConfig2W: ['int', 'intptr', 'uint32', 'void *'],
  CloseServiceHandle: ['int', 'intptr'],
  OpenSCManagerW: ['intptr', 'str16', 'str16', 'uint32'],
  OpenServiceW: ['intptr', 'intptr', 'str16', 'uint32'],
  QueryServiceConfig2W: ['int', 'intptr', 'uint32', '_Out_ void *', 'uint32', '_Out_ uint32 *'],
})

const connect = 0x1
const query = 0x1
/** Changing a configuration so that the service manager starts something needs the right to start as well. */
const changeAndStart = 0x2 | 0x10
/** The kinds of configuration: what follows failures, whether errors count as failures, and the time before a shutdown. */
const kinds = { actions: 2, errorsCount: 4, beforeShutdown: 7 } as const
const restart = 1

/** The third delay applies to all later failures. After an hour without one, the first applies again. */
const restartDelaysMs = [5_000, 30_000, 120_000]
const failureResetSeconds = 3_600
/** More than the time for which a stop waits for a command. */
const shutdownMs = 30_000

export type Recovery = { resetSeconds: number; restartDelaysMs: number[] }

/** Windows starts the agent again when it has failed, and gives it time before a shutdown. */
export function configureRecovery(): void {
  withService(changeAndStart, (service) => {
    const change = (kind: number, configuration: Buffer) =>
      check('The service could not be configured', advapi32.ChangeServiceConfig2W(service, kind, configuration))
    const actions = Buffer.alloc(8 * restartDelaysMs.length)
    for (const [index, delay] of restartDelaysMs.entries()) {
      actions.writeUInt32LE(restart, index * 8)
      actions.writeUInt32LE(delay, index * 8 + 4)
    }
    // SERVICE_FAILURE_ACTIONSW
    const configuration = Buffer.alloc(40)
    configuration.writeUInt32LE(failureResetSeconds, 0)
    configuration.writeUInt32LE(restartDelaysMs.length, 24)
    configuration.writeBigUInt64LE(BigInt(koffi.address(actions)), 32)
    change(kinds.actions, configuration)
    change(kinds.errorsCount, number(1))
    change(kinds.beforeShutdown, number(shutdownMs))
  })
}

/** What the service manager has stored. */
export function readRecovery(): Recovery {
  return withService(query, (service) => {
    const found = Buffer.alloc(8192)
    check(
      'The configuration of the service could not be read',
      advapi32.QueryServiceConfig2W(service, kinds.actions, found, found.length, [0]),
    )
    const [count, actions] = [found.readUInt32LE(24), found.readBigUInt64LE(32)]
    const delays = Array.from({ length: count }, (_, index) => koffi.decode.uint32(actions + BigInt(index * 8 + 4)))
    return { resetSeconds: found.readUInt32LE(0), restartDelaysMs: delays }
  })
}

function withService<T>(access: number, use: (service: number) => T): T {
  const manager = check('The service manager could not be opened', advapi32.OpenSCManagerW(null, null, connect))
  try {
    const service = check('The service could not be opened', advapi32.OpenServiceW(manager, serviceName, access))
    try {
      return use(service)
    } finally {
      advapi32.CloseServiceHandle(service)
    }
  } finally {
    advapi32.CloseServiceHandle(manager)
  }
}

function number(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value, 0)
  return buffer
}
