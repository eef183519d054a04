import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '../src/expected-error.ts'
import type { Administrator } from './service.ts'

const format = 'muster-demo/1'

/** The content of `demo.json`: what the demo stores about itself, besides the data of its service. */
export type DemoFile = {
  format: string
  computers: number
  seed: number
  administrator: Administrator
  /** A principal with all roles; null until it is created. */
  caller: Administrator | null
  depotCredential: string | null
  /** Whether the data set is complete. It is not if the demo was interrupted while creating it. */
  isWhole: boolean
}

export const fleetFile = (folder: string) => join(folder, 'fleet.json')
export const signingKeyFile = (folder: string) => join(folder, 'signing.key')
const demoFilePath = (folder: string) => join(folder, 'demo.json')

type RequestedDemo = { computers: number | undefined; seed: number | undefined; isFresh: boolean }

/** Opens the folder of a demo, or creates it. Refuses a folder with any other content. */
export async function openFolder(folder: string, { computers, seed, isFresh }: RequestedDemo): Promise<DemoFile> {
  const demo = await findDemoFile(folder)
  if (demo?.isWhole && !isFresh) {
    if ((computers ?? demo.computers) !== demo.computers || (seed ?? demo.seed) !== demo.seed)
      throw new ExpectedError(
        `${folder} contains a demo with ${demo.computers} computers and seed ${demo.seed}. Use --fresh to replace it, or --data to choose another folder.`,
      )
    return demo
  }
  if (demo) await removeFolder(folder)
  await mkdir(folder, { recursive: true })
  const created: DemoFile = {
    format,
    computers: computers ?? 500,
    seed: seed ?? 57,
    administrator: { clientId: 'demo-administrator', clientSecret: randomBytes(32).toString('base64url') },
    caller: null,
    depotCredential: null,
    isWhole: false,
  }
  await saveDemoFile(folder, created)
  return created
}

/** Removes the folder and its database, which is elsewhere if its user has no access to the folder. */
async function removeFolder(folder: string): Promise<void> {
  const elsewhere = await readlink(join(folder, 'postgres')).catch(() => undefined)
  if (elsewhere) await rm(elsewhere, { recursive: true, force: true })
  await rm(folder, { recursive: true })
}

async function findDemoFile(folder: string): Promise<DemoFile | undefined> {
  const names = await readdir(folder).catch(() => [])
  if (names.length === 0) return undefined
  const text = await readFile(demoFilePath(folder), 'utf8').catch(() => undefined)
  const demo = text === undefined ? undefined : (JSON.parse(text) as DemoFile)
  if (demo?.format === format) return demo
  throw new ExpectedError(`${folder} contains something other than a demo. Choose another folder with --data.`)
}

/** The file contains secrets, so only its owner may read it. */
export async function saveDemoFile(folder: string, demo: DemoFile): Promise<void> {
  await writeFile(`${demoFilePath(folder)}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  await rename(`${demoFilePath(folder)}.new`, demoFilePath(folder))
}
