import { join } from 'node:path'
import { signPackage } from '@muster/package-format'
import type { SecretKey } from '@muster/signing'
import { expect } from 'vitest'
import { designateAgentPackage } from '../../server/src/features/agent-installation/api/designate-agent-package.ts'
import { createEnrolmentToken } from '../../server/src/features/enrolment/api/create-enrolment-token.ts'
import { setReadyToInstall } from '../../server/src/features/packages/api/set-ready-to-install.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'

export type InstallWorld = Awaited<ReturnType<typeof openInstallWorld>>

/** A service that installers reach, and that trusts these keys. */
export async function openInstallWorld(trustedKeys: SecretKey['publicKey'][]) {
  const world = await openPackageWorld({ trustedKeys })
  return { ...world, origin: await world.app.http.listen({ host: '127.0.0.1', port: 0 }) }
}

/** Signs, imports, releases and designates a package of the agent that is in a folder of the package store. */
export async function release({ imported, as, store }: InstallWorld, name: string, signer?: SecretKey): Promise<void> {
  if (signer) await signPackage(join(store, name), signer)
  const { packageId } = await imported(name, true)
  const request = { params: { id: packageId ?? '' }, body: { operational: true } }
  expect((await as('package.write').call(setReadyToInstall, request)).status).toBe(200)
  const platform = name.includes('windows') ? 'Windows' : 'Linux'
  // Refused if the package contains no installer, or if no trusted key has signed it.
  await as('admin.manage').call(designateAgentPackage, { params: { platform }, body: { packageId: packageId ?? '' } })
}

export const commandsOf = async ({ as, origin }: InstallWorld) => {
  const body = { expiresAtUtc: '2099-01-01T00:00:00.000Z' }
  const { token, commands } = (await as('admin.manage').call(createEnrolmentToken, { body })).body
  if (!commands) throw new Error('The service does not know its address.')
  // The request does not come through the port at which the service listens.
  const atPort = (command: string) => command.replaceAll('http://localhost:80', origin)
  const { linux, windows, windowsGlpi } = commands
  return { token, linux: atPort(linux), windows: atPort(windows), windowsGlpi: atPort(windowsGlpi) }
}
