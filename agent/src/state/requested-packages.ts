import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Offer, PackageId } from '../protocol.ts'
import { readStored, removeDurably, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

type RequestedPackage = { packageId: PackageId }

export async function readOffers({ offers }: StateFolder): Promise<Offer[]> {
  return (await readStored<Offer[]>(offers)) ?? []
}

export async function storeOffers(state: StateFolder, offers: Offer[]): Promise<void> {
  const isSame = JSON.stringify(await readOffers(state)) === JSON.stringify(offers)
  if (!isSame) await writeDurably(state.platform.files, state.offers, offers)
}

/** The optional packages that users have requested and the server does not know yet. */
export async function readRequestedPackages({ requestedPackages }: StateFolder): Promise<PackageId[]> {
  const stored = await Promise.all(
    (await readdir(requestedPackages)).map((name) => readStored<RequestedPackage>(join(requestedPackages, name))),
  )
  return stored.flatMap((request) => request?.packageId ?? [])
}

export async function addRequestedPackage(state: StateFolder, packageId: PackageId): Promise<void> {
  await writeDurably(state.platform.files, pathOf(state, packageId), { packageId } satisfies RequestedPackage)
}

export async function removeRequestedPackages(state: StateFolder, sent: readonly PackageId[]): Promise<void> {
  for (const packageId of sent) await removeDurably(state.platform.files, pathOf(state, packageId))
}

function pathOf({ requestedPackages }: StateFolder, packageId: PackageId): string {
  return join(requestedPackages, `${encodeURIComponent(packageId)}.json`)
}
