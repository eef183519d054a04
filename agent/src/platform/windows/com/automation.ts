import koffi from '../koffi.ts'
import { ComError, checkResult } from './hresult.ts'
import { ComObject, createObject, toGuid } from './interface.ts'
import { allocateText, clearVariant, com, freeText, processMemory } from './ole.ts'
import {
  type ComArgument,
  type ComValue,
  decodeVariant,
  encodeVariant,
  InterfacePointer,
  variantSize,
} from './variant.ts'

const dispatchInterface = toGuid('00020400-0000-0000-c000-000000000046')
const noGuid = Buffer.alloc(16)
const place = { getIdsOfNames: 5, invoke: 6 } as const
const signatures = {
  getIdsOfNames: ['void *', 'void *', 'uint32', 'uint32', 'void *'],
  invoke: ['int32', 'void *', 'uint32', 'uint16', 'void *', 'void *', 'void *', 'void *'],
} as const
/** A method with a result and a property with arguments look the same to callers, so both are asked for at once. */
const flags = { methodOrGet: 3, put: 4 } as const
/** The id of the value in an assignment. */
const assignedValue = -3
const exceptionRaised = 0x80020009

/** What an automation object returns: values, and objects as automation objects. */
export type AutomationValue = string | number | bigint | boolean | Date | null | AutomationObject | AutomationValue[]

/** How an automation object is used. */
export type AutomationObject = Pick<Automation, 'get' | 'call' | 'set' | 'release' | 'pointer'>

/** An object that is used by the names of its members (IDispatch). Objects that it returns must be released as well. */
export class Automation {
  readonly #object: ComObject
  readonly #name: string

  constructor(object: ComObject, name: string) {
    this.#object = object
    this.#name = name
  }

  static create(program: string): Automation {
    const classId = Buffer.alloc(16)
    checkResult(`Finding ${program}`, com().CLSIDFromProgID(program, classId))
    return new Automation(createObject(program, classId, dispatchInterface), program)
  }

  /** For arguments of other objects. */
  get pointer(): InterfacePointer {
    return new InterfacePointer(this.#object.address)
  }

  release(): void {
    this.#object.release()
  }

  get(member: string, ...args: ComArgument[]): Promise<AutomationValue> {
    return this.#invoke(member, flags.methodOrGet, args)
  }

  call(member: string, ...args: ComArgument[]): Promise<AutomationValue> {
    return this.#invoke(member, flags.methodOrGet, args)
  }

  async set(member: string, value: ComArgument): Promise<void> {
    await this.#invoke(member, flags.put, [value])
  }

  /** Calls run on another thread: a search for updates takes minutes. */
  async #invoke(member: string, kind: number, args: readonly ComArgument[]): Promise<AutomationValue> {
    const title = `${this.#name}.${member}`
    const id = this.#idOf(member)
    const texts: bigint[] = []
    const allocate = (text: string) => {
      const address = allocateText(text)
      texts.push(address)
      return address
    }
    const parameters = toParameters(
      args.map((value) => encodeVariant(value, allocate)),
      kind === flags.put,
    )
    const [result, exception, badArgument] = [Buffer.alloc(variantSize), Buffer.alloc(64), Buffer.alloc(4)]
    try {
      const code = await this.#object.callSlowly(
        place.invoke,
        signatures.invoke,
        ...[id, noGuid, 0, kind, parameters, result, exception, badArgument],
      )
      if (code >>> 0 === exceptionRaised) throw toError(title, exception)
      checkResult(title, code)
      return this.#take(result, title)
    } finally {
      for (const address of texts) freeText(address)
    }
  }

  #idOf(member: string): number {
    // A list of one pointer, followed by the text to which it points.
    const names = Buffer.concat([Buffer.alloc(8), Buffer.from(`${member}\0`, 'utf16le')])
    names.writeBigUInt64LE(koffi.address(names) + 8n)
    const id = Buffer.alloc(4)
    const code = this.#object.call(place.getIdsOfNames, signatures.getIdsOfNames, noGuid, names, 1, 0, id)
    checkResult(`Finding ${this.#name}.${member}`, code)
    return id.readInt32LE(0)
  }

  /** Takes over what a VARIANT contains: a reference stays, everything else is copied and freed. */
  #take(variant: Buffer, title: string): AutomationValue {
    const value = decodeVariant(variant, processMemory)
    if (value instanceof InterfacePointer) return new Automation(new ComObject(value.address), title)
    clearVariant(variant)
    return withoutPointers(value)
  }
}

function withoutPointers(value: ComValue): AutomationValue {
  if (value instanceof InterfacePointer) return null
  return Array.isArray(value) ? value.map(withoutPointers) : value
}

const namedAt = 24
const valuesAt = 32

/**
 * DISPPARAMS, followed by what it points to: the id of the named argument of an assignment, and the arguments in reverse
 * order. They are one buffer, so all of it lives as long as the call.
 */
function toParameters(values: readonly Buffer[], isAssignment: boolean): Buffer {
  const parameters = Buffer.concat([Buffer.alloc(valuesAt), ...values.toReversed()])
  const address = koffi.address(parameters)
  if (values.length > 0) parameters.writeBigUInt64LE(address + BigInt(valuesAt), 0)
  if (isAssignment) parameters.writeBigUInt64LE(address + BigInt(namedAt), 8)
  parameters.writeUInt32LE(values.length, 16)
  parameters.writeUInt32LE(isAssignment ? 1 : 0, 20)
  parameters.writeInt32LE(assignedValue, namedAt)
  return parameters
}

const exceptionFields = { texts: [8, 16, 24], description: 16, code: 56, shortCode: 0 } as const

function toError(title: string, exception: Buffer): ComError {
  const description = exception.readBigUInt64LE(exceptionFields.description)
  const text = description === 0n ? undefined : processMemory.text(description)
  for (const at of exceptionFields.texts) freeText(exception.readBigUInt64LE(at))
  const code = exception.readInt32LE(exceptionFields.code) || exception.readUInt16LE(exceptionFields.shortCode)
  return new ComError(title, code, text)
}
