import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Offer, PackageId } from '../protocol.ts'
import { readStored, removeDurably, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

type Want = { packageId: PackageId }

export async function readOffers({ offers }: StateFolder): Promise<Offer[]> {
  return (await readStored<Offer[]>(offers)) ?? []
}

export async function storeOffers(state: StateFolder, offers: Offer[]): Promise<void> {
  const isSame = JSON.stringify(await readOffers(state)) === JSON.stringify(offers)
  if (!isSame) await writeDurably(state.offers, offers)
}

/** The offered packages that somebody asked for and the server has not been told about. */
export async function readWants({ wants }: StateFolder): Promise<PackageId[]> {
  const stored = await Promise.all((await readdir(wants)).map((name) => readStored<Want>(join(wants, name))))
  return stored.flatMap((want) => want?.packageId ?? [])
}

export async function addWant(state: StateFolder, packageId: PackageId): Promise<void> {
  await writeDurably(pathOf(state, packageId), { packageId } satisfies Want)
}

export async function removeWants(state: StateFolder, told: readonly PackageId[]): Promise<void> {
  for (const packageId of told) await removeDurably(pathOf(state, packageId))
}

function pathOf({ wants }: StateFolder, packageId: PackageId): string {
  return join(wants, `${encodeURIComponent(packageId)}.json`)
}
