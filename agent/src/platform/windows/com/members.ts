import type { AutomationObject, AutomationValue } from './automation.ts'

/** Uses an object that a member has returned, and releases it. */
export async function using<T>(
  member: AutomationValue | Promise<AutomationValue>,
  use: (object: AutomationObject) => Promise<T>,
): Promise<T> {
  const object = await member
  if (!isObject(object)) throw new Error('A member has returned no object.')
  try {
    return await use(object)
  } finally {
    object.release()
  }
}

export function isObject(value: AutomationValue): value is AutomationObject {
  return typeof value === 'object' && value !== null && 'release' in value
}

export async function itemsOf(collection: AutomationObject): Promise<AutomationObject[]> {
  const values = await valuesOf(collection)
  return values.filter(isObject)
}

export async function textsOf(collection: AutomationObject): Promise<string[]> {
  return (await valuesOf(collection)).filter((value) => typeof value === 'string')
}

async function valuesOf(collection: AutomationObject): Promise<AutomationValue[]> {
  const count = asNumber(await collection.get('Count')) ?? 0
  const values: AutomationValue[] = []
  for (let index = 0; index < count; index++) values.push(await collection.get('Item', index))
  return values
}

export const asText = (value: AutomationValue) => (typeof value === 'string' && value !== '' ? value : null)
export const asNumber = (value: AutomationValue) =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null
export const asDate = (value: AutomationValue) => (value instanceof Date ? value : null)
