import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '../src/expected-error.ts'
import type { Administrator } from './service.ts'

const format = 'muster-demo/1'

/** What a demo keeps about itself, beside the data of its service. */
export type Kept = {
  format: string
  computers: number
  seed: number
  administrator: Administrator
  /** A principal with all roles, once it was made. */
  caller: Administrator | null
  depotCredential: string | null
  /** Whether everything is there; if not, the demo was interrupted while it was made. */
  isWhole: boolean
}

export const fleetFile = (folder: string) => join(folder, 'fleet.json')
const keptFile = (folder: string) => join(folder, 'demo.json')

type Wanted = { computers: number | undefined; seed: number | undefined; isFresh: boolean }

/** Opens the folder of a demo, or makes a new one. Folders with anything else in them are left alone. */
export async function openFolder(folder: string, { computers, seed, isFresh }: Wanted): Promise<Kept> {
  const kept = await readKept(folder)
  if (kept?.isWhole && !isFresh) {
    if ((computers ?? kept.computers) !== kept.computers || (seed ?? kept.seed) !== kept.seed)
      throw new ExpectedError(
        `${folder} has a demo of ${kept.computers} computers, seed ${kept.seed}. Use --fresh to make another, or --data.`,
      )
    return kept
  }
  if (kept) await remove(folder)
  await mkdir(folder, { recursive: true })
  const made: Kept = {
    format,
    computers: computers ?? 500,
    seed: seed ?? 57,
    administrator: { clientId: 'demo-administrator', clientSecret: randomBytes(32).toString('base64url') },
    caller: null,
    depotCredential: null,
    isWhole: false,
  }
  await keep(folder, made)
  return made
}

/** With the database, which lies elsewhere when its own user cannot get into the folder. */
async function remove(folder: string): Promise<void> {
  const elsewhere = await readlink(join(folder, 'postgres')).catch(() => undefined)
  if (elsewhere) await rm(elsewhere, { recursive: true, force: true })
  await rm(folder, { recursive: true })
}

async function readKept(folder: string): Promise<Kept | undefined> {
  const names = await readdir(folder).catch(() => [])
  if (names.length === 0) return undefined
  const text = await readFile(keptFile(folder), 'utf8').catch(() => undefined)
  const kept = text === undefined ? undefined : (JSON.parse(text) as Kept)
  if (kept?.format === format) return kept
  throw new ExpectedError(`${folder} has something else than a demo in it. Name another folder with --data.`)
}

/** Secrets are in it, so that only its owner may read it. */
export async function keep(folder: string, kept: Kept): Promise<void> {
  await writeFile(`${keptFile(folder)}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  await rename(`${keptFile(folder)}.new`, keptFile(folder))
}
