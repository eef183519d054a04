import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

/** Finds the file that declares an operation, by the text of its declaration. */
export function findOperationSource(id: string): string {
  const patterns = [
    new RegExp(`^\\s+id: '${id}',$`, 'm'),
    // Families of operations: the id is an argument of a function, or begins with the name of the family.
    new RegExp(`\\('${id}',`),
    ...families(id).map((start) => new RegExp(`^\\s+id: \`${start}\\$\\{`, 'm')),
  ]
  const file = patterns.flatMap((pattern) => texts.find(({ text }) => pattern.test(text))?.file ?? [])[0]
  if (!file) throw new Error(`No file of the server declares the operation ${id}.`)
  return file
}

/** The beginnings of a name in camel case, the last one first: `putInventory` and `put` for `putInventoryBios`. */
const families = (id: string) => [...id.matchAll(/[A-Z]/g)].map(({ index }) => id.slice(0, index)).reverse()

const texts = ['server/src/features', 'server/src/channels', 'server/src/web']
  .flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  )
  .sort()
  .map((file) => ({ file, text: readFileSync(join(repository, file), 'utf8') }))
