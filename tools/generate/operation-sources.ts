import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

/** Finds the file that declares an operation, by the text of its declaration. */
export function findOperationSource(id: string): string {
  const file = declaredIn.get(id) ?? findFamily(id)
  if (!file) throw new Error(`No file of the server declares the operation ${id}.`)
  return file
}

/** The id of an operation of a family is an argument of a function, or begins with the name of the family. */
function findFamily(id: string): string | undefined {
  const patterns = [`('${id}',`, ...families(id).map((start) => `id: \`${start}\${`)]
  return patterns.flatMap((pattern) => texts.find(({ text }) => text.includes(pattern))?.file ?? [])[0]
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

/** The files of the ids that are written out, which are nearly all: searching all texts for each id would take seconds. */
const declaredIn = new Map(
  texts.toReversed().flatMap(({ file, text }) => [...text.matchAll(/^\s+id: '(\w+)',$/gm)].map(([, id]) => [id, file])),
)
