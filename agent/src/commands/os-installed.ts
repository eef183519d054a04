import type { OsInstallation } from '../protocol.ts'
import { serverClient } from '../server-client.ts'
import { certificatesOf, enrolledIdentity } from '../state/identity.ts'
import { stateFolder } from '../state/state-folder.ts'
import { trustAlso } from '../trust.ts'

/** Tells the server how the installation of the operating system went, after which the computer boots from its disk. */
export async function reportOsInstallation(path: string, report: OsInstallation): Promise<void> {
  const state = stateFolder(path)
  const identity = await enrolledIdentity(state)
  const certificates = await certificatesOf(state, identity)
  if (certificates) trustAlso(certificates)
  await serverClient(identity.server, identity.credential).osInstallation(report)
  console.log(`The server knows that the installation has ${report.status === 'Success' ? 'succeeded' : 'failed'}.`)
}
