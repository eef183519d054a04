import { ComError, checkResult } from '../com/hresult.ts'
import { ComObject, createObject, OutPointer, toGuid, withObjects } from '../com/interface.ts'
import { com, withText } from '../com/ole.ts'
import { readProperties, readProperty, type WmiRow, type WmiValue, writeProperty } from './class-object.ts'

const locatorClass = toGuid('4590f811-1d3a-11d0-891f-00aa004b2e24')
const locatorInterface = toGuid('dc12a687-737f-11cf-884d-00aa004b2e24')

const place = { connectServer: 3, getObject: 6, execQuery: 20, execMethod: 24, next: 4, getMethod: 19, spawn: 15 }
const signatures = {
  connectServer: ['uintptr', 'uintptr', 'uintptr', 'uintptr', 'int32', 'uintptr', 'uintptr', 'void *'],
  getObject: ['uintptr', 'int32', 'uintptr', 'void *', 'void *'],
  execQuery: ['uintptr', 'uintptr', 'int32', 'uintptr', 'void *'],
  execMethod: ['uintptr', 'uintptr', 'int32', 'uintptr', 'uintptr', 'void *', 'void *'],
  next: ['int32', 'uint32', 'void *', 'void *'],
  getMethod: ['str16', 'int32', 'void *', 'void *'],
  spawn: ['int32', 'void *'],
} as const

const maxWait = 0x80
const forwardOnly = 0x20
const returnImmediately = 0x10
const timedOut = 0x40004
const noInterface = 0x80004002

/** For each row of a class. Some providers ask hardware, which takes seconds. */
const maxRowWaitMs = 60_000

/** A connection to a namespace of WMI, for example `root\cimv2`. It must be closed. */
export type WmiConnection = {
  /** The rows of a query, with the properties that are named; those that the class does not have are null. */
  query(query: string, properties: readonly string[]): Promise<WmiRow[]>
  /** Calls a method of an object, which has a path such as `Win32_Process.Handle="4"`, and returns some results. */
  call(path: string, method: string, args: Record<string, number | string>, results: readonly string[]): Promise<WmiRow>
  close(): void
}

export async function connectWmi(namespace: string): Promise<WmiConnection> {
  const services = await withObjects(async (keep) => {
    const locator = keep(createObject('WbemLocator', locatorClass, locatorInterface))
    const out = new OutPointer()
    await withText(namespace, async (name) => {
      const args = [name, 0n, 0n, 0n, maxWait, 0n, 0n, out.buffer]
      const code = await locator.callSlowly(place.connectServer, signatures.connectServer, ...args)
      checkResult(`Connecting to ${namespace}`, code)
    })
    return new ComObject(out.address)
  })
  try {
    protect(services)
  } catch (error) {
    services.release()
    throw error
  }
  return {
    query: (query, properties) => runQuery(services, query, properties),
    call: (path, method, args, results) => callMethod(services, { path, method, args, results }),
    close: () => services.release(),
  }
}

const windowsAuthentication = 10
const packetPrivacy = 6
const impersonate = 3

/** Encrypts the calls to a remote object, for which WMI has a proxy. An object of this process has none. */
function protect({ address }: ComObject): void {
  const blanket = [address, windowsAuthentication, 0, null, packetPrivacy, impersonate, null, 0]
  const code = com().CoSetProxyBlanket(...blanket)
  if (code >>> 0 !== noInterface) checkResult('CoSetProxyBlanket', code)
}

async function runQuery(services: ComObject, query: string, properties: readonly string[]): Promise<WmiRow[]> {
  return withObjects(async (keep) => {
    const out = new OutPointer()
    await withText('WQL', (language) =>
      withText(query, async (text) => {
        const args = [language, text, forwardOnly | returnImmediately, 0n, out.buffer]
        checkResult(query, await services.callSlowly(place.execQuery, signatures.execQuery, ...args))
      }),
    )
    const found = keep(new ComObject(out.address))
    protect(found)
    const rows: WmiRow[] = []
    for (let object = await nextOf(found, query); object; object = await nextOf(found, query)) {
      rows.push(readProperties(object, properties))
      object.release()
    }
    return rows
  })
}

async function nextOf(found: ComObject, query: string): Promise<ComObject | undefined> {
  const [out, count] = [new OutPointer(), Buffer.alloc(4)]
  const code = await found.callSlowly(place.next, signatures.next, maxRowWaitMs, 1, out.buffer, count)
  if (code === timedOut) throw new Error(`${query} gave no answer within ${maxRowWaitMs / 1000} seconds`)
  checkResult(query, code)
  return count.readUInt32LE(0) === 0 ? undefined : new ComObject(out.address)
}

type MethodCall = { path: string; method: string; args: Record<string, number | string>; results: readonly string[] }

async function callMethod(services: ComObject, { path, method, args, results }: MethodCall): Promise<WmiRow> {
  const title = `${path} ${method}`
  return withObjects(async (keep) => {
    const input = Object.keys(args).length > 0 ? keep(await inputOf(services, { path, method, args })) : undefined
    const out = new OutPointer()
    await withText(path, (objectPath) =>
      withText(method, async (name) => {
        const words = [objectPath, name, 0, 0n, input?.address ?? 0n, out.buffer, null]
        checkResult(title, await services.callSlowly(place.execMethod, signatures.execMethod, ...words))
      }),
    )
    const output = keep(new ComObject(out.address))
    const returned = readProperty(output, 'ReturnValue')
    if (typeof returned === 'number' && returned !== 0) throw new ComError(title, returned)
    return readProperties(output, results)
  })
}

/** The object that carries the arguments of a method. Its class is described by the class of the object. */
async function inputOf(services: ComObject, { path, method, args }: Omit<MethodCall, 'results'>): Promise<ComObject> {
  const className = path.replace(/[.=].*$/s, '')
  return withObjects(async (keep) => {
    const [description, input, fresh] = [new OutPointer(), new OutPointer(), new OutPointer()]
    await withText(className, async (name) => {
      const words = [name, 0, 0n, description.buffer, null]
      checkResult(className, await services.callSlowly(place.getObject, signatures.getObject, ...words))
    })
    const described = keep(new ComObject(description.address))
    checkResult(
      `${className} ${method}`,
      described.call(place.getMethod, signatures.getMethod, method, 0, input.buffer, null),
    )
    const pattern = keep(new ComObject(input.address))
    checkResult(`${className} ${method}`, pattern.call(place.spawn, signatures.spawn, 0, fresh.buffer))
    const object = new ComObject(fresh.address)
    for (const [name, value] of Object.entries(args)) writeProperty(object, name, value)
    return object
  })
}

export type { WmiRow, WmiValue }
