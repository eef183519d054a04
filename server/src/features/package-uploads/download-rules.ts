import type { Configuration } from '../../platform/configuration.ts'
import type { DownloadRules } from '../../platform/downloads/allowed-address.ts'

/** From where installers of packages may be downloaded. */
export const packageDownloadRules = ({ packageHosts, mode }: Configuration): DownloadRules => ({
  hosts: packageHosts,
  mode,
  settings: { hosts: 'MUSTER_PACKAGE_HOSTS', privateHosts: 'MUSTER_PACKAGE_PRIVATE_HOSTS' },
})
