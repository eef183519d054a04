import koffi from '../koffi.ts'
import { checkResult } from './hresult.ts'
import { com } from './ole.ts'

const pointerSize = 8
const inProcessOrLocal = 1 | 4

/** The arguments of a method after `this`, as koffi names them. The result is always an HRESULT. */
export type Signature = readonly string[]

type NativeFunction = ((...args: unknown[]) => number) & {
  async(...args: [...unknown[], (error: unknown, result: number) => void]): void
}

/** The arguments of calls on other threads: their buffers must not be collected as garbage meanwhile. */
const inUse = new Set<readonly unknown[]>()

const prototypes = new Map<string, ReturnType<typeof koffi.proto>>()

function prototypeOf(signature: Signature) {
  const key = signature.join()
  const known = prototypes.get(key) ?? koffi.proto('int32', ['uintptr', ...signature])
  prototypes.set(key, known)
  return known
}

/** A reference to a COM object, which has to be released exactly once. Methods are called by their place in its table. */
export class ComObject {
  readonly address: bigint
  #isReleased = false

  constructor(address: bigint) {
    this.address = address
  }

  /** Calls a method and returns its HRESULT. */
  call(place: number, signature: Signature, ...args: unknown[]): number {
    return this.#method(place, signature)(this.address, ...args)
  }

  /** Calls a slow method on another thread. */
  callSlowly(place: number, signature: Signature, ...args: unknown[]): Promise<number> {
    const method = this.#method(place, signature)
    inUse.add(args)
    return new Promise((resolve, reject) => {
      method.async(this.address, ...args, (error: unknown, result: number) => {
        inUse.delete(args)
        if (error) reject(error)
        else resolve(result)
      })
    })
  }

  #method(place: number, signature: Signature): NativeFunction {
    if (this.#isReleased) throw new Error('The COM object has been released.')
    const table = readPointer(this.address)
    return koffi.decode(readPointer(table + BigInt(place * pointerSize)), prototypeOf(signature)) as NativeFunction
  }

  release(): void {
    if (this.#isReleased) return
    this.call(2, [])
    this.#isReleased = true
  }
}

const readPointer = (address: bigint) => BigInt(koffi.decode.uint64(address))

/** Room for a pointer that a call returns. */
export class OutPointer {
  readonly buffer = Buffer.alloc(pointerSize)

  get address(): bigint {
    return this.buffer.readBigUInt64LE(0)
  }
}

/** Releases all objects of a task at its end, the last one first, whatever happened. */
export async function withObjects<T>(task: (keep: (object: ComObject) => ComObject) => Promise<T>): Promise<T> {
  const objects: ComObject[] = []
  try {
    return await task((object) => {
      objects.push(object)
      return object
    })
  } finally {
    for (const object of objects.toReversed()) object.release()
  }
}

/** A GUID in the order of bytes that COM expects: the first three groups are little-endian. */
export function toGuid(text: string): Buffer {
  const hex = text.replace(/[{}-]/g, '')
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length !== 16) throw new Error(`'${text}' is not a GUID.`)
  bytes.subarray(0, 4).reverse()
  bytes.subarray(4, 6).reverse()
  bytes.subarray(6, 8).reverse()
  return bytes
}

export function createObject(name: string, classId: Buffer, interfaceId: Buffer): ComObject {
  const out = new OutPointer()
  checkResult(`Creating ${name}`, com().CoCreateInstance(classId, null, inProcessOrLocal, interfaceId, out.buffer))
  return new ComObject(out.address)
}
