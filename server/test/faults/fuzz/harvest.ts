import type { Random } from './random.ts'

/** Values that the service returned so that later requests name objects that exist. Its size is bounded. */
export type Harvest = {
  /** Keeps the values of an answer from this path. */
  add(path: string, body: unknown): void
  /** A value for the property or parameter of a request to this path; undefined if none is known. */
  find(random: Random, name: string, path: string): string | number | undefined
}

const valuesPerName = 48
const maxNames = 2_000
const itemsPerArray = 3
const maxTextLength = 300

/** Names of properties that mean an object of another kind. */
const kinds: Record<string, string> = {
  client: 'computer',
  parent: 'group',
  tree: 'group',
  reinstallgroup: 'group',
  var: 'variable-definition',
  pxebootimage: 'pxe-bootimage',
}

export function openHarvest(): Harvest {
  const pools = new Map<string, (string | number)[]>()
  let position = 0

  function keep(name: string, value: string | number): void {
    const pool = pools.get(name) ?? []
    // Some answers have properties whose names the requests chose.
    if (pool.length === 0 && pools.size >= maxNames) return
    if (pool.length < valuesPerName) pool.push(value)
    else pool[position++ % valuesPerName] = value
    pools.set(name, pool)
  }

  function visit(name: string, kind: string, value: unknown): void {
    if (Array.isArray(value)) for (const item of value.slice(0, itemsPerArray)) visit(name, kind, item)
    else if (typeof value === 'object' && value !== null)
      for (const [key, child] of Object.entries(value)) visit(key, kind, child)
    else if (Number.isInteger(value) || (typeof value === 'string' && value.length <= maxTextLength && value !== '')) {
      const found = value as string | number
      keep(name === 'id' ? kind : singular(name), found)
      if (/id$/i.test(name)) keep(typeof found === 'number' ? 'any number' : 'any text', found)
    }
  }

  return {
    add: (path, body) => visit('', kindOf(path, undefined), body),
    find(random, name, path) {
      const stem = singular(name).replace(/Id$/, '').toLowerCase()
      const own = name === 'id' ? kindOf(path, 'id') : singular(name)
      const names = [own, kinds[stem] ?? stem, random.chance(0.5) ? 'any number' : 'any text']
      const pool = names.map((candidate) => pools.get(candidate)).find((candidate) => candidate !== undefined)
      return pool && random.find(pool)
    },
  }
}

/** The kind of objects below this path: the segment before the parameter, or the first one after the prefix. */
function kindOf(path: string, parameter: string | undefined): string {
  const segments = path.split('?')[0]?.split('/').filter(Boolean) ?? []
  const at = parameter ? segments.indexOf(`{${parameter}}`) : -1
  const named = at > 0 ? segments[at - 1] : segments.findLast((segment) => /^[a-z-]{3,}$/.test(segment))
  return singular(named ?? '').toLowerCase()
}

function singular(name: string): string {
  return name.replace(/(?<=[a-z])s$/, '')
}
