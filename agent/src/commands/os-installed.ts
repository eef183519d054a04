import { print } from '@muster/text/print'
import { openConnections } from '../http/connections.ts'
import { trustedAuthorities } from '../http/trust.ts'
import type { OsInstallation } from '../protocol.ts'
import { serverClient } from '../server-client.ts'
import { readCertificates, requireEnrolledIdentity } from '../state/identity.ts'
import type { StateFolder } from '../state/state-folder.ts'

/** Reports the result of an operating system installation, after which the computer boots from its disk. */
export async function reportOsInstallation(state: StateFolder, report: OsInstallation): Promise<void> {
  const identity = await requireEnrolledIdentity(state)
  const certificates = await readCertificates(state, identity)
  const connections = openConnections(trustedAuthorities(state.platform, identity.server, certificates))
  await serverClient(connections, identity.server, identity.credential).osInstallation(report)
  print(`Reported to the server: the installation has ${report.status === 'Success' ? 'succeeded' : 'failed'}.`)
}
